//! Priority of threads.

/// Lets the calling thread give way to what answers requests and writes, where the system allows it.
pub(crate) fn lower_priority() {
    #[cfg(target_os = "linux")]
    {
        const NICE: i32 = 10;
        // Of the calling thread alone. Where it is not allowed, it runs like all others.
        let _ = rustix::process::setpriority_process(None, NICE);
    }
}

//! Several processes that serve the same cluster.
use super::common::Folder;
use super::common::served::{ended, start};
use super::{FUNCTION, Restate, until_there};

#[test]
fn a_node_goes_on_with_what_another_had_at_the_same_address() {
    let folder = Folder::new();
    let Some(restate) = Restate::start(&folder) else {
        return;
    };
    let slow = "double=exec:sh -c 'echo x >> begun; test -e go || sleep 300; echo 42'";
    let arguments = ["--restate-share-listen", "--task", slow];
    let first = restate.serve(&folder, &arguments);
    start(&first, FUNCTION);
    until_there(&folder, "begun");
    let second = restate.serve(&folder, &arguments);
    folder.write("go", "");
    first.end("-KILL");
    let described = ended(&second);
    assert!(described.contains(r#""output":"42""#), "{described}");
}

//! Types that name what a builder builds, and groups of them. A method of a group exists for each kind in the group.

/// Declares the groups, and the kinds with the groups that each is in. Other crates cannot add to them.
macro_rules! kinds {
    (
        groups { $($(#[$of_group:meta])* $group:ident,)* }
        kinds { $($(#[$of_kind:meta])* $kind:ident: $($member:ident),*;)+ }
    ) => {
        mod private {
            pub trait Kind {}
        }
        $($(#[$of_group])* pub trait $group: private::Kind {})*
        $(
            $(#[$of_kind])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            #[non_exhaustive]
            pub enum $kind {}
            impl private::Kind for $kind {}
            $(impl $member for $kind {})*
        )+
    };
}
pub(super) use kinds;

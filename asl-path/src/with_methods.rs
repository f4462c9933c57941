//! Methods that set the fields of options.

/// Implements a method for each named field of options or limits that returns them with another value of the field. The crates
/// of this workspace write such types in one way: public fields, `#[non_exhaustive]`, defaults, and these methods. A field that is an `Option<T>` takes a `T` too.
#[doc(hidden)]
#[macro_export]
macro_rules! with_methods {
    (impl<$lifetime:lifetime> $type:ty { $($methods:tt)* }) => {
        impl<$lifetime> $type {
            $crate::with_methods! { $($methods)* }
        }
    };
    (impl $type:ty { $($methods:tt)* }) => {
        impl $type {
            $crate::with_methods! { $($methods)* }
        }
    };
    ($method:ident($field:ident: Option<$value:ty>), $($rest:tt)*) => {
        #[doc = concat!("Replaces [`", stringify!($field), "`](Self::", stringify!($field), ").")]
        #[must_use]
        pub fn $method(mut self, $field: impl Into<Option<$value>>) -> Self {
            self.$field = $field.into();
            self
        }
        $crate::with_methods! { $($rest)* }
    };
    ($method:ident($field:ident: $value:ty), $($rest:tt)*) => {
        #[doc = concat!("Replaces [`", stringify!($field), "`](Self::", stringify!($field), ").")]
        #[must_use]
        #[inline]
        pub fn $method(mut self, $field: $value) -> Self {
            self.$field = $field;
            self
        }
        $crate::with_methods! { $($rest)* }
    };
    () => {};
}

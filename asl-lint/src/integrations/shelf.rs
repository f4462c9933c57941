//! The services that were read, kept for the next definition.
use asl_services::{Service, Services};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// A cache of services: each is decoded once, for any number of definitions.
#[derive(Debug)]
#[cfg_attr(feature = "services", derive(Default))]
pub(crate) struct ServiceShelf {
    services: Services,
    /// Those that there are, by the names that calls have for them: no definition can make them more.
    read: RefCell<HashMap<String, Arc<Service>>>,
}

impl ServiceShelf {
    pub(crate) fn new(services: Services) -> Self {
        Self {
            services,
            read: RefCell::default(),
        }
    }

    /// Returns a service; None if the name is unknown.
    pub(crate) fn service(&self, name: &str) -> Option<Arc<Service>> {
        if let Some(known) = self.read.borrow().get(name) {
            return Some(Arc::clone(known));
        }
        let service = Arc::new(self.services.service(name)?);
        let mut read = self.read.borrow_mut();
        read.insert(name.to_owned(), Arc::clone(&service));
        Some(service)
    }

    /// Returns the source of the services.
    pub(crate) fn services(&self) -> &Services {
        &self.services
    }
}

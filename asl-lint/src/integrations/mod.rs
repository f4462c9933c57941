//! What Task States ask of the services that they call.

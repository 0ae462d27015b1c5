//! What failures tell of our insides, and no model needs: statements, paths, hosts, class names.

mod classes;
mod hosts;
mod paths;
mod statements;

use crate::finding::{Certainty, Cure, Finding};
use crate::scan::Scan;

/// Every such place in the text.
pub(crate) fn look(scan: &mut Scan<'_>, roots: &[String]) {
    scan.effort.sweep(scan.text.len());
    statements::look(scan);
    scan.effort.sweep(scan.text.len());
    hosts::look(scan);
    scan.effort.sweep(scan.text.len());
    paths::look(scan, roots);
    scan.effort.sweep(scan.text.len());
    classes::look(scan);
}

/// Leaves only a part of a place, which may be nothing.
fn keep(scan: &mut Scan<'_>, place: (usize, usize), part: (usize, usize)) {
    let ((start, end), cure) = (place, Cure::Keep(part.0, part.1));
    scan.found.push(Finding { start, end, cure, certainty: Certainty::Internal, identity: 0 });
}

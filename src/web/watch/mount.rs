//! File systems that don't tell of changes made elsewhere.

use std::path::Path;

/// Why changes below `path` may go untold, when that is so.
#[cfg(target_os = "linux")]
pub(super) fn deaf(path: &Path) -> Option<String> {
    let kind = rustix::fs::statfs(path).ok()?.f_type;
    // The numbers of `man 2 statfs`; the type's sign differs between platforms.
    let name = match u32::try_from(i128::from(kind) & 0xffff_ffff).ok()? {
        0x6969 => "NFS",
        0x517b | 0xff53_4d42 | 0xfe53_4d42 => "SMB",
        0x0102_1997 => "9P, as in WSL or a container",
        0x6573_5546 => "FUSE, as in a container on another system",
        0x786f_4256 => "a shared folder of a virtual machine",
        0x00c3_6400 => "Ceph",
        0x0bd0_0bd0 => "Lustre",
        0x5346_414f => "AFS",
        _ => return None,
    };
    Some(format!("the workspace lies on {name}, which doesn't tell of changes made elsewhere"))
}

/// Why changes below `path` may go untold, when that is so.
#[cfg(not(target_os = "linux"))]
pub(super) fn deaf(_path: &Path) -> Option<String> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_local_disk_tells() {
        assert_eq!(deaf(Path::new("/proc")), None);
        assert_eq!(deaf(Path::new("/nonexistent")), None);
    }
}

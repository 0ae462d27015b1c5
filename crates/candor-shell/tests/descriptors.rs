//! In a process of its own, because other tests open files, too.

use candor_shell::{Options, Work, Worker};
use tokio::sync::watch;

fn open() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

#[tokio::test]
async fn a_worker_leaves_as_many_descriptors_as_it_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tools.sh");
    let script = "tool_a() { echo \"$1\"; sleep 1000 & }
        tool_b() { exit 3; }
        tool_c() { kill -9 $BASHPID; }";
    std::fs::write(&file, script).unwrap();
    let stop = watch::Sender::new(false);
    // Once, because the runtime opens its own on first use.
    for named_pipes in [false, true] {
        let mut options = Options::default();
        options.named_pipes = named_pipes;
        Worker::start(&file, &options).await.unwrap().0.end().await;
    }
    let before = open();
    for named_pipes in [false, true] {
        let mut options = Options::default();
        options.named_pipes = named_pipes;
        let (worker, _) = Worker::start(&file, &options).await.unwrap();
        worker.call(Work::function("a", *b"{}"), stop.subscribe(), ()).await.unwrap();
        let between = open();
        for tool in ["a", "b", "c"].repeat(70) {
            worker.call(Work::function(tool, *b"{}"), stop.subscribe(), ()).await.unwrap();
        }
        assert_eq!(open(), between, "named pipes: {named_pipes}");
        worker.end().await;
        // What the call tasks held goes with them.
        drop(worker);
        assert_eq!(open(), before, "named pipes: {named_pipes}");
    }
}

use candor::tool;

fn main() {
    let _ = tool::inline(|_| Err::<String, String>("no such note".to_owned()));
    let _ = tool::inline(|_| Err::<String, &str>("no such note"));
}

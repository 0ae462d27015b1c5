//! What is said for each mistake.

use super::said;

/// Written behind `# ` on line 10, and what is said of it.
type Rows = &'static [(&'static str, &'static str)];

/// Words behind an `@`, and lines that are no tag.
const TAGS: Rows = &[
    (
        "@args x:string",
        r#"cinema.sh:10:3: "@args" is not a tag. Did you mean @arg? Tags are @arg, @out, @does, @limit, @asks, @schema."#,
    ),
    (
        "@Arg x:string",
        r#"cinema.sh:10:3: "@Arg" is not a tag. Did you mean @arg? Tags are @arg, @out, @does, @limit, @asks, @schema."#,
    ),
    (
        "@param x:string",
        r#"cinema.sh:10:3: "@param" is not a tag. Did you mean @arg? Tags are @arg, @out, @does, @limit, @asks, @schema."#,
    ),
    (
        "@author me",
        r#"cinema.sh:10:3: "@author" is not a tag. Tags are @arg, @out, @does, @limit, @asks, @schema. No line of a description begins with one."#,
    ),
    (
        "@arg: x:string",
        r#"cinema.sh:10:3: "@arg:" is not a tag. Did you mean @arg? Tags are @arg, @out, @does, @limit, @asks, @schema."#,
    ),
];

/// Names and types.
const ARGUMENTS: Rows = &[
    ("@arg", "cinema.sh:10:3: @arg declares nothing. Write @arg name:string, for example."),
    ("@arg x", r#"cinema.sh:10:8: "x" has no type. Write x:string, for example."#),
    ("@arg x?", r#"cinema.sh:10:8: "x?" has no type. Write x?:string, for example."#),
    ("@arg $1 string", r#"cinema.sh:10:8: "$1" has no type. Write name:string, for example."#),
    (
        "@arg :string",
        r#"cinema.sh:10:8: no name stands before ":". A name has 1 to 64 letters (a to z, A to Z), digits, _, - and .; some hosts take no others."#,
    ),
    (
        "@arg x: string",
        r#"cinema.sh:10:10: no type stands right behind "x:". Write x:string, without a space."#,
    ),
    (
        "@arg x:int",
        r#"cinema.sh:10:10: "int" is not a type. Did you mean integer? Types are string, integer, number, boolean, object, json, one of a|b|c, or any of these with []."#,
    ),
    (
        "@arg x:strng",
        r#"cinema.sh:10:10: "strng" is not a type. Did you mean string? Types are string, integer, number, boolean, object, json, one of a|b|c, or any of these with []."#,
    ),
    (
        "@arg x:String",
        r#"cinema.sh:10:10: "String" is not a type. Did you mean string? Types are string, integer, number, boolean, object, json, one of a|b|c, or any of these with []."#,
    ),
    (
        "@arg x:list",
        r#"cinema.sh:10:10: "list" is not a type. Did you mean string[]? Types are string, integer, number, boolean, object, json, one of a|b|c, or any of these with []."#,
    ),
    (
        "@arg x:front",
        r#"cinema.sh:10:10: "front" is not a type. Types are string, integer, number, boolean, object, json, one of a|b|c, or any of these with []."#,
    ),
    (
        "@arg x:string?",
        r#"cinema.sh:10:10: "string?" is not a type. To make it optional, write x?:string."#,
    ),
    (
        "@arg x:string[]?",
        r#"cinema.sh:10:18: "?" stands right behind the type. To make it optional, write x?: before the type."#,
    ),
    (
        "@arg x:a | b",
        r#"cinema.sh:10:10: "a" is not a type. Write choices without spaces: a|other."#,
    ),
    (
        "@arg x:a||b",
        r#"cinema.sh:10:10: "a||b" has an empty choice. Write a|b|c, or make the argument optional."#,
    ),
    ("@arg x:a|b|a", r#"cinema.sh:10:10: the choice "a" is there twice. Write it once."#),
    (
        "@arg x:string|null",
        r#"cinema.sh:10:10: "string|null" would be a choice of these words. Write json for a value of more than one type; write name?:type for one that may be left out."#,
    ),
    (
        "@arg mövie:string",
        r#"cinema.sh:10:8: "mövie" has "ö" in its name. A name has 1 to 64 letters (a to z, A to Z), digits, _, - and .; some hosts take no others."#,
    ),
    (
        "@arg xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx:string",
        r#"cinema.sh:10:8: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…" is too long for a name. A name has 1 to 64 letters (a to z, A to Z), digits, _, - and .; some hosts take no others."#,
    ),
    ("@arg x:string[", r#"cinema.sh:10:16: "[" stands without "]". Write string[] for a list."#),
    (
        "@arg x:string[][]",
        "cinema.sh:10:18: lists of lists are not known here. Use json, or describe the arguments in a file with @schema.",
    ),
    (
        "@arg x:string\n@arg x:integer",
        r#"cinema.sh:11:8: "x" is declared twice, first on line 10. Give one of them another name."#,
    ),
];

/// What stands in parentheses.
const RULES: Rows = &[
    ("@arg x:string(1..5", r#"cinema.sh:10:16: "(" is not closed. Write (1..10), for example."#),
    (
        "@arg x:string()",
        r#"cinema.sh:10:17: "" is not a rule. Write a range such as (1..10), (1..) or (..10), or for strings a (/pattern/)."#,
    ),
    (
        "@arg x:string(..)",
        r#"cinema.sh:10:17: ".." sets no limit for the length of a string. Write (1..10), (1..) or (..10)."#,
    ),
    ("@arg x:string(5)", r#"cinema.sh:10:17: "5" is not a range. Did you mean (5..5)?"#),
    ("@arg x:integer(1-10)", r#"cinema.sh:10:18: "1-10" is not a range. Did you mean (1..10)?"#),
    ("@arg x:integer(>=1)", r#"cinema.sh:10:18: ">=1" is not a range. Did you mean (1..)?"#),
    (
        "@arg x:integer(1.5..)",
        r#"cinema.sh:10:18: "1.5" is no limit for an integer. Write (1..10), (1..) or (..10)."#,
    ),
    (
        "@arg x:integer(..x)",
        r#"cinema.sh:10:20: "x" is no limit for an integer. Write (1..10), (1..) or (..10)."#,
    ),
    (
        "@arg x:integer(1. .5)",
        r#"cinema.sh:10:18: "1. .5" is not a rule. Write a range such as (1..10), (1..) or (..10), or for strings a (/pattern/)."#,
    ),
    ("@arg x:integer(10..1)", r#"cinema.sh:10:18: "10..1" runs backwards. Write (1..10)."#),
    (
        "@arg x:string(-1..)",
        r#"cinema.sh:10:17: "-1" is no limit for the length of a string. Write (1..10), (1..) or (..10)."#,
    ),
    (
        "@arg x:string[](0.5..)",
        r#"cinema.sh:10:19: "0.5" is no limit for the count of a list. Write (1..10), (1..) or (..10)."#,
    ),
    (
        "@arg x:number(a..)",
        r#"cinema.sh:10:17: "a" is no limit for a number. Write (1..10), (1..) or (..10)."#,
    ),
    (
        "@arg x:integer(/a/)",
        "cinema.sh:10:18: a /pattern/ is a rule for strings, not for integer. Write string, or a range: integer(1..10).",
    ),
    (
        "@arg x:string[](/a/)",
        "cinema.sh:10:19: a /pattern/ is no rule for the count of a list. Write how many, such as (1..10); put a rule for each value before the [].",
    ),
    (
        "@arg x:boolean(1..2)",
        "cinema.sh:10:18: boolean takes no rule. Leave it out; string, integer, number and lists take one.",
    ),
    (
        "@arg x:a|b(1..2)",
        "cinema.sh:10:14: choices take no rule. Leave the rule out; the choices are the rule.",
    ),
    (
        "@arg x:string(/a",
        r#"cinema.sh:10:17: the pattern has no "/" at its end. Write (/^[a-z]+$/), for example."#,
    ),
    (
        "@arg x:string(/a/b/)",
        r#"cinema.sh:10:19: the pattern ends here, and no ")" follows. Write \/ for a slash within the pattern, and ) behind the last one."#,
    ),
    (
        "@arg x:string(/a(?=b)/)",
        r#"cinema.sh:10:19: "(?=" looks around, which only some engines can. Check that in the tool instead."#,
    ),
    (
        "@arg x:string(1..5)text",
        r#"cinema.sh:10:22: "text" stands right behind the type. Put a space between the type and its description."#,
    ),
];

/// What stands behind `=`, and what looks as if it did.
const DEFAULTS: Rows = &[
    (
        "@arg x:integer=two",
        "cinema.sh:10:18: the default two is not an integer. Write =2, for example.",
    ),
    (
        "@arg x:integer=2.0",
        "cinema.sh:10:18: the default 2.0 is not an integer. Write =2, for example.",
    ),
    (
        "@arg x:integer(1..10)=20",
        "cinema.sh:10:25: the default 20 is outside (1..10). Write a default within the rule, or change the rule.",
    ),
    (
        "@arg x:number(..0.5)=0.75",
        "cinema.sh:10:24: the default 0.75 is outside (..0.5). Write a default within the rule, or change the rule.",
    ),
    ("@arg x:number=x", "cinema.sh:10:17: the default x is not a number. Write =0.5, for example."),
    (
        "@arg x:boolean=yes",
        "cinema.sh:10:18: the default yes is not a boolean. Write =true or =false, for example.",
    ),
    (
        "@arg x:string(3..)=ab",
        "cinema.sh:10:22: the default ab has 2 characters, which is outside (3..). Write a default within the rule, or change the rule.",
    ),
    (
        "@arg x:string(/^b/)=ab",
        "cinema.sh:10:23: the default ab does not match /^b/. Write one that does, or change the pattern.",
    ),
    (
        "@arg x:front|middle|back=midle",
        "cinema.sh:10:28: the default midle is not one of the choices. Did you mean middle? Choices are front, middle, back.",
    ),
    (
        "@arg x:object=[1]",
        r#"cinema.sh:10:17: the default [1] is not an object. Write ={"a": 1}, for example."#,
    ),
    (
        "@arg x:json=word",
        r#"cinema.sh:10:15: the default word is not JSON. Write ="text", =2, =true, =null, =[1] or ={"a": 1}, for example."#,
    ),
    (
        "@arg x:string[]=a",
        r#"cinema.sh:10:19: the default a is not a list. Write =["a", "b"], for example."#,
    ),
    (
        "@arg x:string[]=[1]",
        r#"cinema.sh:10:19: 1 in the default [1] is not a string. Write ="two words", for example."#,
    ),
    (
        "@arg x:string[](1..)=[]",
        "cinema.sh:10:24: the default [] has 0 values, which is outside (1..). Write a default within the rule, or change the rule.",
    ),
    (
        r#"@arg x:string="a"#,
        r#"cinema.sh:10:16: the default is not JSON. Write it as in =["a", "b"], ={"a": 1} or ="two words"."#,
    ),
    (
        "@arg x:string=",
        r#"cinema.sh:10:16: no default stands behind "=". Write the default right behind it; an empty text is =""."#,
    ),
    (
        "@arg x:string header=Region",
        r#"cinema.sh:10:17: "header=Region" is not known here. Behind the type stands a description, which cannot begin so."#,
    ),
];

/// `@out`.
const FIELDS: Rows = &[
    ("@out", "cinema.sh:10:3: @out declares nothing. Write @out name:string, for example."),
    ("@out id", r#"cinema.sh:10:8: "id" has no type. Write id:string, for example."#),
    ("@out id total:number", r#"cinema.sh:10:8: "id" has no type. Write id:string, for example."#),
    (
        "@out id:string total",
        r#"cinema.sh:10:18: "total" has no type. Write total:string for a field; describe id in two words or more."#,
    ),
    (
        "@out a:string b:string and more",
        r#"cinema.sh:10:26: "and" is no field. Write name:type for a field; a field with a description has an @out of its own."#,
    ),
    (
        "@out a:string=b",
        "cinema.sh:10:16: a field of @out has no default. Leave it out; a?: is a field that may be missing.",
    ),
    (
        "@out a:string\n@out a:string",
        r#"cinema.sh:11:8: "a" is declared twice, first on line 10. Give one of them another name."#,
    ),
];

/// `@does`, `@limit`, `@asks` and `@schema`.
const OTHERS: Rows = &[
    (
        "@does",
        "cinema.sh:10:3: @does says nothing. Words are read, write or destroy, and idempotent, outside.",
    ),
    (
        "@does reads",
        r#"cinema.sh:10:9: "reads" is not a word of @does. Did you mean read? Words are read, write or destroy, and idempotent, outside."#,
    ),
    (
        "@does read write",
        "cinema.sh:10:14: write contradicts read. Keep the one that says more: destroy over write, write over read.",
    ),
    (
        "@does write, destroy",
        "cinema.sh:10:16: destroy contradicts write. Keep the one that says more: destroy over write, write over read.",
    ),
    ("@does read read", "cinema.sh:10:14: read is said twice. Say it once."),
    (
        "@does idempotent\n@does idempotent",
        "cinema.sh:11:9: idempotent is said twice. Say it once.",
    ),
    (
        "@limit",
        "cinema.sh:10:3: @limit sets nothing. Write @limit time=20s, for example. Limits are time, output, memory, at-once, rate.",
    ),
    (
        "@limit tiem=5s",
        r#"cinema.sh:10:10: "tiem" is not a limit. Did you mean time? Limits are time, output, memory, at-once, rate."#,
    ),
    (
        "@limit 20s",
        r#"cinema.sh:10:10: "20s" is not a limit. Limits are time, output, memory, at-once, rate."#,
    ),
    ("@limit time", r#"cinema.sh:10:10: "time" has no value. Write time=20s, for example."#),
    ("@limit time=", r#"cinema.sh:10:10: "time" has no value. Write time=20s, for example."#),
    (
        "@limit time=20",
        r#"cinema.sh:10:15: "20" is not a time. Write 500ms, 20s or 2m; a day, 1440m, is the most."#,
    ),
    (
        "@limit time=1441m",
        r#"cinema.sh:10:15: "1441m" is not a time. Write 500ms, 20s or 2m; a day, 1440m, is the most."#,
    ),
    (
        "@limit time=0s",
        r#"cinema.sh:10:15: "0s" is not a time. Write 500ms, 20s or 2m; a day, 1440m, is the most."#,
    ),
    (
        "@limit output=1MB",
        r#"cinema.sh:10:17: "1MB" is not a size. Write a number of bytes, or 64K, 1M or 1G."#,
    ),
    (
        "@limit memory=0",
        r#"cinema.sh:10:17: "0" is not a size. Write a number of bytes, or 64K, 1M or 1G."#,
    ),
    (
        "@limit at-once=0",
        r#"cinema.sh:10:18: "0" is not a number of calls. Write a whole number from 1."#,
    ),
    (
        "@limit rate=10",
        r#"cinema.sh:10:15: "10" is not a rate. Write 5/s, 10/m or 100/h, with a whole number from 1."#,
    ),
    (
        "@limit rate=10/d",
        r#"cinema.sh:10:15: "10/d" is not a rate. Write 5/s, 10/m or 100/h, with a whole number from 1."#,
    ),
    (
        "@limit time=5s\n@limit time=6s",
        r#"cinema.sh:11:10: "time" is set twice, first on line 10. Set it once."#,
    ),
    ("@asks before it books", "cinema.sh:10:9: @asks stands alone. Leave out what follows."),
    ("@asks\n@asks", "cinema.sh:11:3: @asks is there twice, first on line 10. Keep one of them."),
    (
        "@schema",
        "cinema.sh:10:3: @schema names no file. Write @schema arguments.json, for example.",
    ),
    (
        "@schema a.json\n@schema b.json",
        "cinema.sh:11:3: @schema is there twice, first on line 10. Keep one of them.",
    ),
    (
        "@schema a.json\n@arg x:string",
        "cinema.sh:11:3: @arg excludes the @schema on line 10. Keep one of the two.",
    ),
    (
        "@arg x:string\n@schema a.json",
        "cinema.sh:11:3: @schema excludes the @arg on line 10. Keep one of the two.",
    ),
    (
        "@asks\nBook seats.",
        "cinema.sh:11:3: this line stands behind a tag and is none. Put a description above the tags, or indent the line to go on with @asks.",
    ),
];

#[test]
fn each_mistake_has_its_place_and_its_sentence() {
    for (text, sentence) in [TAGS, ARGUMENTS, RULES, DEFAULTS, FIELDS, OTHERS].concat() {
        assert_eq!(said(text), [sentence], "{text}");
    }
}

#!/usr/bin/env node
// Take a web address apart: scheme, host, port, path, parameters of the query, and fragment.
// @arg  address:string(1..4000)  A whole address, such as https://example.com/search?q=tea#top
// @out  scheme:string host:string path:string
// @out  port?:integer         Only if the address names one
// @out  parameters:object     Each with a list of its values
// @out  fragment?:string      What stands behind #
// @does read

// A program as a tool, here for Node. It reads its arguments from standard input.
//
//   candor call examples/programs take_apart 'address=https://example.com/search?q=tea'

import { readFileSync } from 'node:fs';

const { address } = JSON.parse(readFileSync(0, 'utf8'));

if (!URL.canParse(address)) {
  console.log(`address: must be whole, with its scheme. Got ${JSON.stringify(address)}. ` +
    'Send https://example.com/, for example.');
  process.exit(1);
}

const url = new URL(address);
const names = [...url.searchParams.keys()];
const parameters = Object.fromEntries(names.map((name) => [name, url.searchParams.getAll(name)]));
console.log(JSON.stringify({
  scheme: url.protocol.replace(/:$/, ''),
  host: url.hostname,
  // What is undefined is left out.
  port: url.port ? Number(url.port) : undefined,
  path: url.pathname,
  parameters,
  fragment: url.hash ? url.hash.slice(1) : undefined,
}));

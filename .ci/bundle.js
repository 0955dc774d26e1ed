#!/usr/bin/env node
// Bundles the inspector: public/index.html from public/inspector.html, with one script, one style sheet and one icon in
// public/bundle, and everything compressed beside it. The modules themselves run as they are, at /inspector.html.
//
// `node .ci/bundle.js` writes the files, `node .ci/bundle.js --check` exits 1 if they are not up to date. The name of
// each file contains the hash that the server computes for it, so that browsers keep it for good.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";

const folder = resolve(dirname(fileURLToPath(import.meta.url)), "../public");
const textOf = (name) => readFileSync(join(folder, name), "utf8");

/** The modules that an entry needs, each after those that it imports. */
function modulesFor(entry) {
  const [order, open] = [new Map(), new Set()];
  (function visit(name) {
    if (order.has(name)) return;
    if (open.has(name)) throw new Error(`${name} imports itself by way of others`);
    open.add(name);
    const text = textOf(name);
    for (const [, path] of text.matchAll(imports)) visit(join(dirname(name), path));
    order.set(name, text);
  })(entry);
  return order;
}

const imports = /^import (?:[^;]*? from )?"([^"]+)";\n/gm;
const exported = /^export (?:async )?(?:function|class|const) ([\w$]+)/gm;

/** One script of several modules: each is a function that returns its exports, and runs once. */
export function scriptOf(modules) {
  const numbers = new Map([...modules.keys()].map((name, index) => [name, `module${index}`]));
  return [...modules].map(([name, text]) => {
    const names = [...text.matchAll(exported)].map(([, each]) => each);
    const body = withoutComments(text)
      .replace(imports, (statement, path) => {
        const source = numbers.get(join(dirname(name), path));
        const clause = /^import ([^]*) from "/.exec(statement)?.[1] ?? "";
        if (clause.startsWith("* as ")) return `const ${clause.slice(5)} = ${source};\n`;
        return clause === "" ? "" : `const ${clause.replaceAll(" as ", ": ")} = ${source};\n`;
      })
      .replaceAll(/^export /gm, "");
    if (/^(?:import|export) /m.test(body) || [...text.matchAll(/^export /gm)].length !== names.length) {
      throw new Error(`${name} has an import or export of a form that .ci/bundle.js does not know`);
    }
    return `const ${numbers.get(name)} = (() => {\n${body}return { ${names.join(", ")} };\n})();\n`;
  }).join("");
}

/** Removes the comments that have lines of their own, types within lines, and indentation: no text has several lines. */
function withoutComments(text) {
  return text.replaceAll(/^ +/gm, "").replaceAll(/^\/\*[^]*?\*\/\n/gm, "").replaceAll(/\/\*\* @type [^*]*\*\/ ?/g, "")
    .replaceAll(/^\/\/.*\n/gm, "").replaceAll(/\n{2,}/g, "\n");
}

/** The hash of a file as in the server's entity tags (FNV-1a). */
export function hashOf(bytes) {
  let hash = 0xCBF2_9CE4_8422_2325n;
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x100_0000_01B3n) & 0xFFFF_FFFF_FFFF_FFFFn;
  return hash.toString(36);
}

/** The files of the bundle, by name. */
export function bundle() {
  const files = new Map();
  const add = (name, text) => {
    const hashed = name.replace(/(?=\.\w+$)/, `.${hashOf(Buffer.from(text))}`);
    files.set(`bundle/${hashed}`, text);
    return `/bundle/${hashed}`;
  };
  let page = textOf("inspector.html");
  // The design and the theme stay files of their own: pages of the app load them as well, and servers replace the theme.
  const sheets = [...page.matchAll(/ *<link rel="stylesheet" href="\/((?!web\/)[^"]+)">\n/g)];
  const styles = add("inspector.css", withoutComments(sheets.map(([, name]) => textOf(name)).join(""))
    .replaceAll(";\n}", "}").replaceAll(" {\n", "{"));
  const script = add("inspector.js", scriptOf(modulesFor("inspector.js")));
  const icon = add("favicon.svg", textOf("favicon.svg"));
  page = page.replace(sheets[0][0], `  <link rel="stylesheet" href="${styles}">\n`);
  for (const [line] of sheets.slice(1)) page = page.replace(line, "");
  page = page.replace("/inspector.js", script).replaceAll("/favicon.svg", icon);
  // The indentation of tags is no text, but that of samples of code is.
  files.set("index.html", page.replaceAll(/^ +(?=<)/gm, ""));
  return files;
}

/** The names of the files that are missing, stale or left over. */
export function stale(files) {
  const isCurrent = (name, text) => existsSync(join(folder, name)) && textOf(name) === text
    && existsSync(join(folder, `${name}.gz`)) && String(gunzipSync(readFileSync(join(folder, `${name}.gz`)))) === text;
  const extra = existsSync(join(folder, "bundle")) ? readdirSync(join(folder, "bundle")) : [];
  return [
    ...[...files].filter(([name, text]) => !isCurrent(name, text)).map(([name]) => name),
    ...extra.map((name) => `bundle/${name}`).filter((name) => !files.has(name.replace(/\.gz$/, ""))),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = bundle();
  const names = stale(files);
  if (process.argv.includes("--check") && names.length > 0) {
    console.error(`error: not up to date: ${names.join(", ")}. Run make bundle.`);
    process.exit(1);
  }
  if (names.length > 0) {
    rmSync(join(folder, "bundle"), { recursive: true, force: true });
    mkdirSync(join(folder, "bundle"));
    for (const [name, text] of files) {
      writeFileSync(join(folder, name), text);
      writeFileSync(join(folder, `${name}.gz`), gzipSync(text, { level: 9 }));
    }
  }
}

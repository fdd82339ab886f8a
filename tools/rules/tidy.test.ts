// The rules of the house as tests: imports between rooms, and code that may stand only in some places or nowhere
// (docs/architecture.md).

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { tableRooms } from '../table-rooms.ts';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The floor of each room in docs/architecture.md. A room may import the `index.ts` of rooms on lower floors. */
const FLOORS = floorsOf(readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8'));

/** Returns the rows of the table that stand for folders of the server. `top` is above all others. */
function floorsOf(document: string): Record<string, number> {
  const rows = [...document.matchAll(/^\| (\d+|top) \| `(?:server\/)?([a-z]+)\/` \|/gm)];
  return Object.fromEntries(rows.map(([, floor = '', room = '']) => [room, floor === 'top' ? Infinity : Number(floor)]));
}

/** The other workspaces that each workspace may import. */
const WORKSPACES: Record<string, string[]> = {
  money: [],
  contract: ['money'],
  server: ['money', 'contract'],
  web: ['money', 'contract'],
  sandbox: ['money', 'contract'],
  e2e: ['money', 'contract', 'tools'],
  tools: ['money', 'contract', 'server'],
  bench: ['money', 'contract', 'server', 'sandbox', 'e2e', 'web', 'tools'],
};
/** The only code that appends to files and replaces them. It imports no product code, so the sandbox may import it. */
const OF_ALL = 'server/platform/files/append-file.ts';
const OF_TESTS = 'tools/runner/full-run.ts';
/**
 * The only rooms that use rails: payments, which moves money over our border, the holder of the keys, and those that set rails
 * up.
 */
const USERS_OF_RAILS = ['rails', 'payments', 'signing', 'simulation', 'supervisor', 'assembly', 'edge', 'bin'];
/** Files that read the environment. */
const READS_ENVIRONMENT =
  /^(server\/(bin|terminal)\/|server\/platform\/base\/config\.ts|sandbox\/|tools\/|e2e\/|bench\/|web\/(build|vite\.config)\.ts)/;
/** Files with a clock and random numbers of their own. */
const HAS_CLOCK = /^(server\/platform\/|sandbox\/|tools\/|e2e\/|bench\/|web\/ui\/base\/clock\.ts|web\/testing\/)|\.test\.tsx?$/;
/** Numbers that are not money in rooms that handle money, each with its reason. */
const COUNTS_AS_NUMBER: Record<string, string> = {};

type Import = { from: string; to: string; line: number };
type Source = { path: string; text: string; imports: Import[] };

const IMPORT =
  /(?:^|[\n;])\s*(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|(?:^|[\n;])\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
const sources = globSync('{money,contract,server,web,sandbox,e2e,bench,tools}/**/*.{ts,tsx,mjs}', { cwd: ROOT })
  .filter((path) => !/node_modules|\/dist\/|web\/paraglide/.test(path))
  .sort()
  .map(readSource);
const byPath = new Map(sources.map((source) => [source.path, source]));

function readSource(path: string): Source {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const imports = [...text.matchAll(IMPORT)].map((match) => {
    const name = match[1] ?? match[2] ?? match[3] ?? '';
    const line = text.slice(0, match.index + match[0].length).split('\n').length;
    return { from: path, to: resolveImport(path, name), line };
  });
  return { path, text, imports };
}

/** Returns one of our paths for a relative import or a workspace's name, otherwise the bare name of a package. */
function resolveImport(from: string, name: string): string {
  if (name.startsWith('.')) return relative(ROOT, join(ROOT, dirname(from), name));
  const own = /^@kurs\/([a-z]+)(?:\/(.+))?$/.exec(name);
  return own ? `${own[1]}/${own[2] ?? 'index.ts'}` : name;
}

const workspaceOf = (path: string): string => path.split('/')[0]!;
const roomOf = (path: string): string | undefined => /^server\/([^/]+)\//.exec(path)?.[1];
const isTest = (path: string): boolean => /\.(test|contract|testing)\.tsx?$/.test(path) || path.startsWith('server/simulation/');
/** Rails have two more: the interface that every rail fulfils, and its other half in the signer. */
const isDoor = (path: string): boolean => /^server\/([^/]+\/index|rails\/(rail|signer))\.ts$/.test(path);
/** Files that one room offers to the tests of another. */
const isForTests = (path: string): boolean =>
  /^server\/[^/]+\/((smtp\.)?testing|memory|tcp-proxy)\.ts$|\.contract\.ts$/.test(path);
const say = ({ from, line }: { from: string; line: number }, words: string): string => `${from}:${line} ${words}`;

const edges = sources.flatMap((source) => source.imports).filter(({ to }) => workspaceOf(to) in WORKSPACES && to.includes('/'));

test('workspaces import only what the table allows', () => {
  const wrong = edges.filter(({ from, to }) => {
    const [mine, other] = [workspaceOf(from), workspaceOf(to)];
    // Only the API mounts the built site.
    if (mine === 'server' && other === 'web') return from !== 'server/edge/site/site.ts';
    // A rail is tested against its real counterpart.
    if (mine === 'server' && other === 'sandbox') return !isTest(from);
    if ((mine === 'sandbox' && to === OF_ALL) || (to === OF_TESTS && isTest(from))) return false;
    // Journeys weigh pages by the budgets of the web's entries.
    if (mine === 'e2e' && to.startsWith('web/entries/')) return false;
    // Tests of the site use the same browser as the journeys.
    if (mine === 'web' && ['tools/browser.ts', 'tools/html-rules.ts', 'tools/page-size.ts'].includes(to))
      return !from.startsWith('web/testing/');
    return mine !== other && !WORKSPACES[mine]!.includes(other);
  });
  assert.deepEqual(
    wrong.map((edge) => say(edge, `imports ${edge.to}`)),
    [],
  );
});

test('money imports nothing and contract only money and zod', () => {
  const wrong = sources
    .filter(({ path }) => /^(money|contract)\//.test(path) && !isTest(path))
    .flatMap(({ imports }) => imports)
    .filter(({ from, to }) => !to.includes('/') && !(from.startsWith('contract/') && to === 'zod'));
  assert.deepEqual(
    wrong.map((edge) => say(edge, `imports ${edge.to}`)),
    [],
  );
});

test('each room of the server has its floor in docs/architecture.md', () => {
  const rooms = globSync('server/*/', { cwd: ROOT }).map((path) => path.split('/')[1]);
  assert.deepEqual(Object.keys(FLOORS).sort(), rooms.filter((room) => room !== 'node_modules').sort());
  assert.deepEqual(floorsOf('| top | `server/bin/` | x |\n| – | `money/` | x |\n| 2 | `rails/` | x |'), {
    bin: Infinity,
    rails: 2,
  });
});

test('rooms import only the indexes of lower floors', () => {
  const wrong = edges.flatMap((edge) => {
    const [mine, other] = [roomOf(edge.from), roomOf(edge.to)];
    if (mine === undefined || other === undefined || mine === other) return [];
    if (!(mine in FLOORS)) return [say(edge, `stands in a room without a floor: ${mine}`)];
    if (FLOORS[other]! >= FLOORS[mine]!) return [say(edge, `imports ${other}, which is no lower floor`)];
    const isOpen = isDoor(edge.to) || (mine === 'bin' && other === 'platform') || (isTest(edge.from) && isForTests(edge.to));
    return isOpen ? [] : [say(edge, `imports ${edge.to}, which is no index of a room`)];
  });
  assert.deepEqual(wrong, []);
});

test('outside the server only indexes of rooms are used', () => {
  const wrong = edges.filter(
    ({ from, to }) =>
      roomOf(to) !== undefined &&
      roomOf(from) === undefined &&
      !isDoor(to) &&
      !isForTests(to) &&
      // Data is not code of a room.
      !to.endsWith('.json') &&
      !to.startsWith('server/platform/'),
  );
  assert.deepEqual(
    wrong.map((edge) => say(edge, `imports ${edge.to}`)),
    [],
  );
});

test('nothing imports in a circle', () => {
  assert.deepEqual(circlesOf(new Map(sources.map(({ path, imports }) => [path, imports.map(({ to }) => to)]))), []);
});

/** Returns the folder of a file inside its room, or undefined for the room's own files. */
const innerOf = (path: string): string | undefined => /^(server\/[^/]+\/[^/]+)\//.exec(path)?.[1];

test('folders inside a room depend on each other in one direction', () => {
  const inner = new Map<string, Set<string>>();
  for (const { from, to } of edges) {
    const [mine, other] = [innerOf(from), innerOf(to)];
    if (isTest(from) || mine === undefined || other === undefined || mine === other || roomOf(from) !== roomOf(to)) continue;
    inner.set(mine, (inner.get(mine) ?? new Set()).add(other));
  }
  assert.deepEqual(circlesOf(new Map([...inner].map(([folder, used]) => [folder, [...used]]))), []);
});

/** Returns the cycles in a graph, each as its path. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const state = new Map<string, 'open' | 'done'>();
  const circles: string[] = [];
  const walk = (node: string, trail: string[]): void => {
    if (state.get(node) === 'done') return;
    if (state.get(node) === 'open') return void circles.push([...trail.slice(trail.indexOf(node)), node].join(' → '));
    state.set(node, 'open');
    for (const next of graph.get(node) ?? []) walk(next, [...trail, node]);
    state.set(node, 'done');
  };
  for (const node of graph.keys()) walk(node, []);
  return circles;
}

test('only payments and the signer use rails, and no rail knows another', () => {
  const wrong = edges.filter(({ from, to }) => {
    if (roomOf(to) !== 'rails' || roomOf(from) === undefined || isTest(from)) return false;
    const [mine, other] = [from, to].map((path) => /^server\/rails\/([^/]+)\//.exec(path)?.[1]);
    // Neither is a rail: they hold shared code of providers, and of chains with accounts.
    if (mine !== undefined) return other !== undefined && !['provider', 'account-chain'].includes(other) && mine !== other;
    return !USERS_OF_RAILS.includes(roomOf(from)!);
  });
  assert.deepEqual(
    wrong.map((edge) => say(edge, `imports ${edge.to}`)),
    [],
  );
});

/** Hosts that a rail's sources may name. The operator configures any other address. */
const OWN_HOSTS: Record<string, RegExp> = {
  paypal: /(^|\.)paypal\.com$/,
  payeer: /^payeer\.com$/,
  perfectmoney: /^perfectmoney\.com$/,
  // The second names an XML namespace and is never requested.
  volet: /(^|\.)volet\.com$|^wsm\.advcash$/,
  nebulox: /(^|\.)nebulox\.io$/,
  webmoney: /(^|\.)webmoney\.(ru|com)$/,
  moneygo: /(^|\.)money-go\.com$/,
};

test('a rail names no address but its own provider’s', () => {
  const wrong = sources.flatMap(({ path, text }) => {
    const rail = /^server\/rails\/([^/]+)\//.exec(path)?.[1];
    if (rail === undefined || isTest(path)) return [];
    const code = text.replace(/\/\*.*?\*\/|^\s*\/\/.*$/gms, '');
    const hosts = [...code.matchAll(/['"`=]https?:\/\/([\w.-]+)/g)].map(([, host]) => host ?? '');
    const isOwn = (host: string): boolean => host === 'schemas.xmlsoap.org' || (OWN_HOSTS[rail]?.test(host) ?? false);
    return hosts.filter((host) => !isOwn(host)).map((host) => `${path}: ${host}`);
  });
  assert.deepEqual(wrong, []);
});

test('a room’s SQL names its own tables only', () => {
  const owners = tableRooms();
  assert.ok(owners.size > 5, 'the migrations were read');
  const named = /\b(from|join|into|update|table)\s+(?:only\s+)?([a-z_]+)\b/g;
  const wrong = sources.flatMap(({ path, text }) => {
    const room = roomOf(path);
    if (room === undefined || isTest(path)) return [];
    return literalsOf(text).flatMap(({ literal, line }) =>
      [...literal.matchAll(named)]
        .filter(
          ([, verb, table]) => owners.has(table!) && owners.get(table!) !== room && !mayRead(room, owners.get(table!)!, verb!),
        )
        .map(([, verb, table]) => say({ from: path, line }, `says "${verb} ${table}", a table of ${owners.get(table!)}`)),
    );
  });
  assert.deepEqual(wrong, []);
});

/** The signer reads approved payouts with a role that can do nothing else: it must not trust payments. */
const mayRead = (room: string, owner: string, verb: string): boolean =>
  room === 'signing' && owner === 'payments' && (verb === 'from' || verb === 'join');

/** Returns texts with SQL: template and plain literals with one of its verbs. */
function literalsOf(text: string): { literal: string; line: number }[] {
  return [...text.matchAll(/`(?:[^`\\]|\\.)*`|'(?:[^'\\\n]|\\.)*'/g)]
    .filter(([literal]) => /\b(select|insert into|update|delete from|lock table|merge into|truncate)\b/.test(literal))
    .map((match) => ({ literal: match[0], line: text.slice(0, match.index).split('\n').length }));
}

/** Returns lines of code (without comments and texts) that match, in files that pass. */
function linesWith(pattern: RegExp, isWatched: (path: string) => boolean): string[] {
  return sources
    .filter(({ path }) => isWatched(path))
    .flatMap(({ path, text }) =>
      codeOf(text)
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [])),
    );
}

/** Returns the text with comments and the content of plain strings blanked, with all lines. */
function codeOf(text: string): string {
  const blank = (part: string): string => part.replaceAll(/[^\n]/g, ' ');
  return text.replaceAll(/\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, blank);
}

test('only processes, commands and the configuration read the environment', () => {
  assert.deepEqual(
    linesWith(/\bprocess\.env\b/, (path) => !READS_ENVIRONMENT.test(path) && !isTest(path)),
    [],
  );
});

test('time and chance come from platform', () => {
  assert.deepEqual(
    linesWith(/\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b/, (path) => !HAS_CLOCK.test(path)),
    [],
  );
});

test('nobody is believed without their certificate', () => {
  const unbelieving = /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity/;
  assert.deepEqual(
    sources.filter(({ path, text }) => path !== 'tools/rules/tidy.test.ts' && unbelieving.test(text)).map(({ path }) => path),
    [],
  );
});

test('rooms that handle money have no floats', () => {
  const placeOf = (path: string): string =>
    path
      .split('/')
      .slice(0, path.startsWith('web/') ? 3 : 2)
      .join('/');
  const withMoney = new Set(
    edges
      .filter(({ from, to }) => to.startsWith('money/') && /^(server|web)\//.test(from) && !isTest(from))
      .map(({ from }) => placeOf(from)),
  );
  const isWatched = (path: string): boolean =>
    !isTest(path) && !(path in COUNTS_AS_NUMBER) && (path.startsWith('money/') || withMoney.has(placeOf(path)));
  assert.deepEqual(linesWith(/(?<![\w.])Number\(|\bparseFloat\b|\.toFixed\(/, isWatched), []);
});

test('names say something', () => {
  const nothing = /(^|\/)(utils?|helpers?|common|misc|[a-z-]*manager)\.(ts|tsx)$/i;
  assert.deepEqual(
    sources.map(({ path }) => path).filter((path) => nothing.test(path)),
    [],
  );
  assert.deepEqual(
    linesWith(/^\s*(export )?(class|interface|type) \w*(Manager|Helper|Util)s?\b/, () => true),
    [],
  );
});

test('no test is switched off', () => {
  const off = /\b(test|it|describe|suite)\.(skip|todo|only)\b|\{\s*(skip|todo|only):/;
  assert.deepEqual(
    linesWith(off, (path) => isTest(path) && path !== 'tools/rules/tidy.test.ts'),
    [],
  );
});

test('nothing in the server exists for the bench or the tests of others alone', () => {
  const reach = (starts: string[]): Set<string> => {
    const seen = new Set<string>();
    const walk = (path: string): void => {
      if (seen.has(path) || !byPath.has(path)) return;
      seen.add(path);
      for (const { to } of byPath.get(path)!.imports) walk(to);
    };
    starts.forEach(walk);
    return seen;
  };
  const paths = sources.map(({ path }) => path);
  const fromBench = reach(paths.filter((path) => path.startsWith('bench/')));
  const fromProduct = reach(
    paths.filter((path) => path.startsWith('server/bin/') || (isTest(path) && !path.startsWith('bench/'))),
  );
  const wrong = [...fromBench].filter((path) => path.startsWith('server/') && !fromProduct.has(path) && !isForTests(path));
  assert.deepEqual(wrong, []);
  const simulated = edges.filter(({ from, to }) => roomOf(to) === 'simulation' && roomOf(from) === 'bin');
  assert.deepEqual(
    simulated.map((edge) => say(edge, `imports ${edge.to}`)),
    [],
  );
});

test('the browser’s client loads no schema', () => {
  const client = readFileSync(join(ROOT, 'contract/client.ts'), 'utf8');
  const loaded = [...client.matchAll(/^import (?!type)[^;]*from '([^']+)'/gm)].map(([, name]) => name);
  assert.deepEqual(
    loaded.filter((name) => name !== './paths.ts'),
    [],
  );
});

test('every word has both languages', () => {
  for (const folder of ['contract/words', 'web/locales']) {
    const [en, ru] = ['en-US', 'ru-RU'].map((locale) => keysOf(readJson(`${folder}/${locale}.json`)));
    assert.deepEqual(en, ru, `${folder}: the keys differ`);
  }
  const pages = new Map<string, string[]>();
  for (const file of globSync('web/content/*/*.md', { cwd: ROOT })) {
    pages.set(dirname(file), [...(pages.get(dirname(file)) ?? []), file.split('/').at(-1)!].sort());
  }
  for (const [page, files] of pages) assert.deepEqual(files, ['en-US.md', 'ru-RU.md'], page);
});

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

function keysOf(value: unknown, prefix = ''): string[] {
  // A list holds plural forms, of which Russian has more.
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [prefix];
  return Object.entries(value)
    .flatMap(([key, part]) => keysOf(part, prefix ? `${prefix}.${key}` : key))
    .sort();
}

test('migrations are numbered and open with a sentence', () => {
  const files = globSync('server/migrations/*', { cwd: ROOT }).sort();
  for (const file of files) {
    const room = /\/\d{4}_([a-z]+)(_[a-z]+)*\.sql$/.exec(file)?.[1] ?? '';
    assert.ok(room in FLOORS, `${file} begins with the name of its room`);
    assert.match(readFileSync(join(ROOT, file), 'utf8'), /^-- [A-ZА-Я].{10,}/, `${file} opens with a sentence`);
  }
  const numbers = files.map((file) => /(\d{4})_/.exec(file)![1]);
  assert.equal(new Set(numbers).size, numbers.length, 'no number twice');
});

test('dependencies have one exact version each, locked with their content', () => {
  const manifests = ['package.json', ...globSync('{money,contract,server,web,sandbox,tools/*}/package.json', { cwd: ROOT })];
  for (const path of manifests) {
    const manifest = readJson(path) as Record<string, Record<string, string> | undefined>;
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
      for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
        assert.match(version, /^(\d+\.\d+\.\d+(-[\w.]+)?|file:[\w./-]+)$/, `${path}: ${name} ${version}`);
      }
    }
  }
  const { packages } = readJson('package-lock.json') as {
    packages: Record<string, { integrity?: string; link?: boolean; inBundle?: boolean }>;
  };
  const open = Object.entries(packages)
    // The empty leveldown is a folder of ours (sandbox/leveldown).
    .filter(([path]) => path.includes('node_modules/') && !path.endsWith('/leveldown'))
    .filter(([, entry]) => !entry.link && !entry.inBundle && entry.integrity === undefined)
    .map(([path]) => path);
  assert.deepEqual(open, []);
});

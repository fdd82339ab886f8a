// Configuration: what the environment says, parsed once when a process starts. Secrets are files (secrets.ts), never variables.

import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { EMAIL } from '@kurs/contract';
import { z } from 'zod';

type Environment = Record<string, string | undefined>;

const port = z.coerce.number().int().min(0).max(65_535);
const traces = z.enum(['', 'debug', 'filter']);
const empty = z.literal('');
/** An address of one kind; what isn't one of another program's is no setting of ours. */
const address = (protocol: RegExp) => z.url({ protocol }).or(empty);
const url = address(/^https?$/);
const database = address(/^postgres(ql)?$/);
/** A mail server has a name; without one its library would ask this machine. */
const mailServer = z.url({ protocol: /^smtps?$/, hostname: /./ }).or(empty);
/** Our own address has no path: pages stand at its root. */
const origin = url.refine((text) => text === '' || text.replace(/\/+$/, '') === new URL(text).origin);
/** An address that paths are written behind. */
const apiAddress = url.refine((text) => text === '' || text.replace(/\/+$/, '') === plainAddress(text));
/** `desk@kurs.example`, or `Kurs, Ltd. <desk@kurs.example>`. */
const sender = z.string().regex(/^(?:[^\s@,<>]+@[^\s@,<>]+|\P{Cc}*<[^\s@,<>]+@[^\s@,<>]+>)?$/u);
const flag = z.enum(['', '0', '1']).transform((text) => text === '1');
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);
/** Addresses and networks. One of all addresses would believe everybody. */
const networks = list.refine((each) => each.every(isNetwork), 'is a list like 127.0.0.1, 10.0.0.0/8');
const whole = z.coerce.number().int().min(0);
/** 0: nobody has said it. */
const chainId = empty.transform(() => 0).or(z.coerce.number().int().min(1));

type Variable = { schema: z.ZodType; initial: string; words: string; inner?: true; rail?: string; isSecret?: true };
const variable = <S extends z.ZodType>(schema: S, initial: string, words: string) => ({ schema, initial, words });
/** A variable whose value may hold a secret, so that nothing says it. */
const secret = <S extends z.ZodType>(schema: S, initial: string, words: string) => ({
  ...variable(schema, initial, words),
  isSecret: true as const,
});
/** A variable of one rail: a value that can't be stops that rail and nothing else. */
const ofRail = <S extends z.ZodType>(rail: string, schema: S, initial: string, words: string) => ({
  ...variable(schema, initial, words),
  rail,
});
/** A variable that the supervisor sets for its children; people rarely do. */
const inner = <S extends z.ZodType>(schema: S, initial: string, words: string) => ({
  schema,
  initial,
  words,
  inner: true as const,
});

/** Every variable with its schema, its default and what it is. */
export const VARIABLES = {
  HOST: variable(z.string().min(1), '127.0.0.1', 'address to listen on'),
  PORT: variable(port, '3000', 'port of the site and the API; 0 lets the system choose'),
  BASE_URL: variable(origin, '', 'address people reach us by, used in mails and links; http://HOST:PORT when empty'),
  KURS_DATA: variable(z.string().min(1), './.kurs', 'folder of the data, the keys, the logs and run.json'),
  KURS_MODE: variable(z.enum(['sandbox', 'live']), 'sandbox', 'sandbox: test chains and play money; live: real money'),
  KURS_ROLE: variable(
    z.enum(['all', 'api', 'worker', 'signer']),
    'all',
    'what this machine runs: everything, or one process over a database that another machine has begun (docs/operations.md)',
  ),
  KURS_MACHINE: variable(
    z.string().regex(/^[\w.-]{0,60}$/),
    '',
    'name of this machine in alarms and metrics, another for each; its host name when empty',
  ),
  KURS_LOG: variable(z.enum(['debug', 'info', 'warn', 'error']), 'info', 'least level of the lines that are logged'),
  KURS_NAME: variable(
    z
      .string()
      .min(1)
      .max(40)
      .regex(/^\P{Cc}*$/u),
    'Kurs',
    'name of the desk, on pages and in mails',
  ),
  KURS_ENTITY: variable(z.string().max(300), '', 'who runs the desk: name, registration and address, with ; between them'),
  KURS_CONTACT: variable(z.email({ pattern: EMAIL }).or(z.literal('')), '', 'e-mail that customers can write to'),
  KURS_LINKS: variable(
    list.refine(
      (links) => links.every((link) => /^[^=]{1,40}=https:\/\/\S+$/.test(link)),
      'is a list like Telegram=https://t.me/name',
    ),
    '',
    'other places where people find you, like Telegram=https://t.me/name',
  ),
  KURS_HOURS: variable(
    z.string().regex(/^((?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d)?$/),
    '',
    'when somebody answers, in UTC, like 08:00-23:00',
  ),
  KURS_CHAT_WEBSITE: variable(
    z.string().regex(/^[\w-]{0,100}$/),
    '',
    'website id of a chat at Crisp, offered to visitors of public pages after 3 s and loaded if they allow it; off when empty',
  ),
  KURS_CHAT_SCRIPT: variable(url, 'https://client.crisp.chat/l.js', 'address of the script of that chat'),
  KURS_BUILD_CHECK: variable(whole.min(1), '3600', 'seconds after which a browser asks whether the site is newer than it'),
  KURS_ANIMATION: variable(url, '', 'address of the error page’s animation, a Lottie file; our own when empty'),
  DATABASE_URL: secret(
    database,
    '',
    'a PostgreSQL of your own (15 or later; 18 is tested), for the role that owns the database; the embedded one when empty',
  ),
  KURS_APP_DATABASE_URL: secret(
    database,
    '',
    'the same database for the role kurs_app, when DATABASE_URL is your own; that role is made or found when empty',
  ),
  KURS_SIGNER_DATABASE_URL: secret(database, '', 'the same for the role kurs_signer'),
  KURS_DESK_KEY_FILE: variable(
    z.string(),
    '',
    'file with the key that the desk tool acts by (mode 0600); else a key on this machine',
  ),
  SMTP_URL: secret(mailServer, '', 'where mail is handed in, like smtps://user:password@host; the sandbox has its own'),
  MAIL_FROM: variable(sender, '', 'sender of mails; no-reply@ and the host of BASE_URL when empty'),
  TRUST_PROXY: variable(networks, '', 'addresses or networks of your own proxies, whose X-Forwarded-For is believed'),
  KURS_METRICS_PORT: variable(port, '0', 'port of 127.0.0.1 that metrics are read at, in Prometheus’ format; none when 0'),
  KURS_CLIENTS: variable(list, 'web', 'known values of the client-id header'),
  KURS_SITE_CLIENT: variable(
    z.string().regex(/^[\x21-\x7e]{1,60}$/),
    'web',
    'client-id that the pages of the site send, one that KURS_CLIENTS names',
  ),
  KURS_API_URL: variable(
    apiAddress,
    '',
    'address that calls go to, before /api/v1, like https://api.kurs.example; that of the site when empty',
  ),
  KURS_STRICT_LIMITS: variable(flag, '', '1: requests from this machine count towards the limits in the sandbox too'),
  SANDBOX_BLOCK_MS: variable(whole, '2000', 'milliseconds between blocks of the sandbox chains while there is work'),
  KURS_BITCOIN_NETWORK: ofRail(
    'bitcoin',
    z.enum(['', 'regtest', 'mainnet']),
    '',
    'bitcoin network; regtest in the sandbox, mainnet in live mode when empty',
  ),
  KURS_ESPLORA: ofRail('bitcoin', url, '', 'Esplora API of the bitcoin network; the sandbox has its own'),
  KURS_EVM_RPC: ofRail('evm', url, '', 'JSON-RPC of the EVM chain; the sandbox has its own'),
  KURS_EVM_CHAIN_ID: ofRail(
    'evm',
    chainId,
    '',
    'id of the EVM chain (mainnet: 1), compared with what the node says; the sandbox has its own',
  ),
  KURS_USDT_ERC20: ofRail(
    'evm',
    z.string().regex(/^(0x[0-9a-fA-F]{40})?$/),
    '',
    'contract of USDT on the EVM chain; the sandbox deploys its own',
  ),
  KURS_BSC_RPC: ofRail('bsc', url, '', 'JSON-RPC of BNB Smart Chain; the sandbox has its own'),
  KURS_BSC_CHAIN_ID: ofRail('bsc', chainId, '56', 'id of BNB Smart Chain, compared with what the node says'),
  KURS_USDT_BEP20: ofRail(
    'bsc',
    z.string().regex(/^(0x[0-9a-fA-F]{40})?$/),
    '',
    'contract of USDT on BNB Smart Chain; that of mainnet when empty, the sandbox deploys its own',
  ),
  KURS_EVM_TRACES: ofRail(
    'evm',
    traces,
    '',
    'traces of the EVM chain’s node, by which internal transfers are found: debug or filter',
  ),
  KURS_BSC_TRACES: ofRail('bsc', traces, '', 'traces of the BSC node, by which internal transfers are found: debug or filter'),
  KURS_TRON_TRACES: ofRail(
    'tron',
    z.enum(['', 'on']),
    '',
    'the TRON node keeps internal transactions, by which such transfers are found',
  ),
  KURS_TRON_API: ofRail(
    'tron',
    url,
    '',
    'HTTP interface of a TRON node with TronGrid’s index beside it; the sandbox has its own',
  ),
  KURS_TRON_API_KEY: ofRail('tron', z.string().max(100), '', 'key of TronGrid, sent with every call'),
  KURS_USDT_TRC20: ofRail(
    'tron',
    z.string().regex(/^(T[1-9A-HJ-NP-Za-km-z]{33})?$/),
    '',
    'contract of USDT on TRON; that of the mainnet when empty, the sandbox has its own',
  ),
  KURS_SIGNER_CAPS: variable(
    z.string(),
    'BTC=25, USDT_ERC20=1000000, USDT_BEP20=1000000, ETH=500, BNB=1500, USDT_TRC20=1000000, TRX=1000000',
    'most of each currency that the signer lets leave within 24 hours',
  ),
  KURS_GOOGLE_CLIENT_ID: variable(
    z.string().max(200),
    '',
    'client id of sign-in with Google, from its console; off when empty, the sandbox has its own',
  ),
  KURS_GOOGLE_ISSUERS: variable(
    list,
    'https://accounts.google.com, accounts.google.com',
    'how Google names itself in its tokens',
  ),
  KURS_GOOGLE_KEYS: variable(url, 'https://www.googleapis.com/oauth2/v3/certs', 'address of Google’s public keys'),
  KURS_GOOGLE_SCRIPT: variable(url, 'https://accounts.google.com/gsi/client', 'address of Google’s script for browsers'),
  KURS_BOT_CHECK: variable(
    z.enum(['altcha', 'turnstile', 'recaptcha']),
    'altcha',
    'who checks for robots: altcha (the product itself, by proof of work), turnstile (Cloudflare) or recaptcha (Google, version 2)',
  ),
  KURS_BOT_SITE_KEY: variable(z.string().max(200), '', 'public site key at that provider; the sandbox has its own'),
  KURS_BOT_SECRET: secret(z.string().max(200), '', 'secret key at that provider; the sandbox has its own'),
  KURS_BOT_VERIFY: variable(url, '', 'address where the provider verifies a token; its usual one when empty'),
  KURS_BOT_SCRIPT: variable(url, '', 'address of the provider’s script for browsers; its usual one when empty'),
  KURS_SCREENING_URL: variable(
    z.literal('sandbox').or(url),
    '',
    'where accounts are screened (docs/screening.md); none are when empty, `sandbox` is the sandbox’s own service',
  ),
  KURS_SCREENING_KEY_FILE: variable(z.string(), '', 'file with the key for that service (mode 0600)'),
  KURS_PRIVATE_WEBHOOKS: variable(
    z.literal('').or(z.url({ protocol: /^https?$/ }).transform((text) => new URL(text).origin)),
    '',
    'sandbox only: an origin that webhooks go to although it is private, like http://127.0.0.1:8080; none when empty',
  ),
  KURS_SIGNER_SOCKET: variable(
    z.string(),
    '',
    'unix socket of the signer, where it runs by itself; KURS_DATA/signer.sock when empty',
  ),
  KURS_SANDBOX_PORT: inner(port, '0', 'public port the sandbox listens on'),
  KURS_SANDBOX_CONTROL_PORT: inner(port, '0', 'control port the sandbox listens on'),
  KURS_SANDBOX_SMTP_PORT: inner(port, '0', 'port of the sandbox’s mail server'),
  KURS_SANDBOX_URL: inner(url, '', 'address of the sandbox’s public port'),
  KURS_SANDBOX_CONTROL_URL: inner(url, '', 'address of the sandbox’s control port'),
  KURS_SANDBOX_PROVIDERS: inner(z.string(), '', 'settings of the sandbox’s providers by rail, as JSON'),
} satisfies Record<string, Variable>;

export type Config = { readonly [N in keyof typeof VARIABLES]: z.output<(typeof VARIABLES)[N]['schema']> } & {
  /** Why rails can't be, by their names. Says nothing of the values: an address may hold a key. */
  readonly railMistakes: Readonly<Record<string, string>>;
};

/** The chain that the sandbox runs; with real money the operator says which chain it is. */
const SANDBOX_CHAIN_ID = 31_337;

/** Names every variable that is wrong. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Parses the environment. An empty variable counts as not set. Throws ConfigError with a sentence per mistake: a value
 * that can't be, or, in live mode, something missing that has no safe default. What is wrong with one rail is told as its
 * mistake: nothing but that rail has to stop for it.
 */
export function loadConfig(environment: Environment = process.env): Config {
  const mistakes: string[] = [];
  const values: Record<string, unknown> = {};
  const railMistakes: Record<string, string> = {};
  for (const [name, { schema, initial, words, rail, isSecret }] of Object.entries<Variable>(VARIABLES)) {
    const parsed = schema.safeParse(environment[name]?.trim() || initial);
    if (parsed.success) values[name] = parsed.data;
    else if (rail === undefined)
      mistakes.push(`${name} (${words}) can't be ${isSecret ? 'what it is set to' : `"${environment[name]}"`}`);
    else {
      values[name] = schema.parse(initial);
      railMistakes[rail] ??= `${name} has a value that it can't have (it is: ${words})`;
    }
  }
  const config = values as Config;
  if (mistakes.length === 0) mistakes.push(...mistakesOfSite(config), ...mistakesOfMode(config));
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'));
  const folder = resolve(config.KURS_DATA);
  return {
    ...config,
    railMistakes,
    KURS_DATA: folder,
    BASE_URL: baseUrl(config),
    KURS_API_URL: config.KURS_API_URL.replace(/\/+$/, '') || baseUrl(config),
    KURS_MACHINE: config.KURS_MACHINE || hostname(),
    KURS_SIGNER_SOCKET: config.KURS_SIGNER_SOCKET || join(folder, 'signer.sock'),
    KURS_BITCOIN_NETWORK: config.KURS_BITCOIN_NETWORK || (config.KURS_MODE === 'live' ? 'mainnet' : 'regtest'),
    KURS_EVM_CHAIN_ID: config.KURS_EVM_CHAIN_ID || (config.KURS_MODE === 'live' ? 0 : SANDBOX_CHAIN_ID),
  };
}

/** The variables that begin as ours do, but that nobody reads: one is misspelled, or was of an older version. */
export function unknownVariables(environment: Environment = process.env): string[] {
  const isOurs = (name: string): boolean => Object.hasOwn(VARIABLES, name) || /^KURS_(?:KEY|TEST)_/.test(name);
  return Object.keys(environment).filter((name) => name.startsWith('KURS_') && !isOurs(name));
}

function isNetwork(text: string): boolean {
  const [ip = '', bits, ...more] = text.split('/');
  const version = isIP(ip);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** An address without user, query and fragment, and without a slash at its end. */
function plainAddress(text: string): string {
  const { origin: of, pathname } = new URL(text);
  return of + pathname.replace(/\/+$/, '');
}

/** The API refuses a client-id that it doesn't know: every page would be locked out. */
function mistakesOfSite({ KURS_CLIENTS: known, KURS_SITE_CLIENT: own }: Config): string[] {
  if (known.includes(own)) return [];
  return [
    `KURS_SITE_CLIENT (the client-id that the pages of the site send) is "${own}", which KURS_CLIENTS (${known.join(', ')}) does not name: every page would be refused. Add it there, or set KURS_SITE_CLIENT to one of those`,
  ];
}

function mistakesOfMode(config: Config): string[] {
  if (config.KURS_MODE === 'sandbox') return [];
  const mistakes: string[] = [];
  if (!config.BASE_URL.startsWith('https://')) mistakes.push('BASE_URL must be an https address in live mode');
  if (!/^(https:\/\/|$)/.test(config.KURS_API_URL)) mistakes.push('KURS_API_URL must be an https address in live mode');
  for (const name of ['KURS_GOOGLE_KEYS', 'KURS_GOOGLE_SCRIPT'] as const) {
    if (!config[name].startsWith('https://')) mistakes.push(`${name} must be an https address in live mode`);
  }
  if (config.KURS_BOT_CHECK !== 'altcha') {
    for (const name of ['KURS_BOT_SITE_KEY', 'KURS_BOT_SECRET'] as const) {
      if (config[name] === '') mistakes.push(`${name} is needed with KURS_BOT_CHECK=${config.KURS_BOT_CHECK}`);
    }
    for (const name of ['KURS_BOT_VERIFY', 'KURS_BOT_SCRIPT'] as const) {
      if (!/^(https:\/\/|$)/.test(config[name])) mistakes.push(`${name} must be an https address in live mode`);
    }
  }
  if (config.KURS_GOOGLE_ISSUERS.length === 0) mistakes.push('KURS_GOOGLE_ISSUERS must name one at least');
  const { KURS_SCREENING_URL: screening } = config;
  if (!/^(https:\/\/|http:\/\/(127\.0\.0\.1|\[::1\]|localhost)[:/]|$)/.test(screening))
    mistakes.push('KURS_SCREENING_URL must be an https address in live mode, or one of this machine');
  for (const name of ['KURS_SANDBOX_URL', 'KURS_PRIVATE_WEBHOOKS'] as const) {
    if (config[name]) mistakes.push(`${name} has no place in live mode`);
  }
  return mistakes;
}

function baseUrl({ BASE_URL, HOST, PORT }: Config): string {
  const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST;
  return BASE_URL.replace(/\/+$/, '') || `http://${host}:${PORT}`;
}

/** The variables as rows of text: name, default, words. Those of the supervisor stand last. */
export function describeConfig(): { name: string; initial: string; words: string; inner: boolean; rail?: string }[] {
  return Object.entries<Variable>(VARIABLES)
    .map(([name, { initial, words, inner = false, rail }]) => ({
      name,
      initial,
      words,
      inner,
      ...(rail !== undefined && { rail }),
    }))
    .sort((a, b) => Number(a.inner) - Number(b.inner));
}

const KEY_VARIABLE = /^KURS_KEY_[A-Z0-9_]+$/;

/** The variable that a key may stand in, in place of its file: KURS_KEY_SERVER_V1 for server-v1.key. */
export const keyVariable = (name: string): string =>
  `KURS_KEY_${name
    .replace(/\.(key|json)$/, '')
    .replaceAll(/[.-]/g, '_')
    .toUpperCase()}`;

/** The text of a key that the environment holds; undefined where it holds none of that name. */
export const keyInEnvironment = (name: string): string | undefined => process.env[keyVariable(name)]?.trim() || undefined;

/** The variables of the environment that hold keys. */
export const keyVariables = (environment: Environment = process.env): string[] =>
  Object.keys(environment).filter((name) => KEY_VARIABLE.test(name) && environment[name]?.trim());

/** The PostgreSQL that a test run shares among its processes; undefined when a test runs by itself. */
export const testDatabaseUrl = (): string | undefined => process.env['KURS_TEST_DATABASE_URL'] || undefined;

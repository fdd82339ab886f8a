// Configuration: environment variables, parsed once when a process starts. Secrets are files (secrets.ts), except that keys may
// also be environment variables.

import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { EMAIL } from '@kurs/contract';
import { z } from 'zod';

type Environment = Record<string, string | undefined>;

const port = z.coerce.number().int().min(0).max(65_535);
const traces = z.enum(['', 'debug', 'filter']);
const empty = z.literal('');
/** A URL with a matching protocol, or an empty text. */
const address = (protocol: RegExp) => z.url({ protocol }).or(empty);
const url = address(/^https?$/);
const database = address(/^postgres(ql)?$/);
/** Address of a mail server. The address must name a host. Without a host the mail library would connect to this machine. */
const mailServer = z.url({ protocol: /^smtps?$/, hostname: /./ }).or(empty);
/** URL of the site, without a path, since its pages are at the root. */
const origin = url.refine((text) => text === '' || text.replace(/\/+$/, '') === new URL(text).origin);
/** URL of an API, without user, query and fragment, since paths are appended to it. */
const apiAddress = url.refine((text) => text === '' || text.replace(/\/+$/, '') === plainAddress(text));
/** Sender of mails: `desk@kurs.example`, or `Kurs, Ltd. <desk@kurs.example>`. */
const sender = z.string().regex(/^(?:[^\s@,<>]+@[^\s@,<>]+|\P{Cc}*<[^\s@,<>]+@[^\s@,<>]+>)?$/u);
const flag = z.enum(['', '0', '1']).transform((text) => text === '1');
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);
/**
 * IP addresses and networks of trusted proxies. The network of all addresses (/0) is refused, since it would trust every caller.
 */
const networks = list.refine((each) => each.every(isNetwork), 'is a list like 127.0.0.1, 10.0.0.0/8');
const whole = z.coerce.number().int().min(0);
/** Id of a chain; 0 if it is not set. */
const chainId = empty.transform(() => 0).or(z.coerce.number().int().min(1));

type Variable = { schema: z.ZodType; initial: string; words: string; isInternal?: true; rail?: string; isSecret?: true };
const variable = <S extends z.ZodType>(schema: S, initial: string, words: string) => ({ schema, initial, words });
/** A variable whose value may hold a secret. No error message quotes the value. */
const secret = <S extends z.ZodType>(schema: S, initial: string, words: string) => ({
  ...variable(schema, initial, words),
  isSecret: true as const,
});
/** A variable of one rail: a wrong value stops that rail alone. */
const ofRail = <S extends z.ZodType>(rail: string, schema: S, initial: string, words: string) => ({
  ...variable(schema, initial, words),
  rail,
});
/** A variable that the supervisor sets for its child processes; operators rarely set it. */
const inner = <S extends z.ZodType>(schema: S, initial: string, words: string) => ({
  schema,
  initial,
  words,
  isInternal: true as const,
});

/** All variables, each with its schema, its default and a description. */
export const VARIABLES = {
  HOST: variable(z.string().min(1), '127.0.0.1', 'address to listen on'),
  PORT: variable(port, '3000', 'port of the site and the API; 0 lets the system choose'),
  BASE_URL: variable(origin, '', 'public address of the site, used in mails and links; http://HOST:PORT when empty'),
  CONSOLE_HOST: variable(z.string().min(1), '127.0.0.1', 'address that the operator’s console listens on'),
  CONSOLE_PORT: variable(
    empty.transform(() => undefined).or(port),
    '',
    'port of the operator’s console; the one after PORT when empty, 0 lets the system choose',
  ),
  CONSOLE_URL: variable(
    origin,
    '',
    'address of the operator’s console in browsers; http://localhost:CONSOLE_PORT when empty. In live mode https on a host name of its own, or localhost through a tunnel',
  ),
  CONSOLE_NETWORKS: variable(
    networks,
    '',
    'addresses or networks from which the operator’s console answers; every one that reaches it when empty',
  ),
  KURS_DATA: variable(z.string().min(1), './.kurs', 'folder of the data, the keys, the logs and run.json'),
  KURS_MODE: variable(z.enum(['sandbox', 'live']), 'sandbox', 'sandbox: test chains and play money; live: real money'),
  KURS_ROLE: variable(
    z.enum(['all', 'api', 'console', 'worker', 'signer']),
    'all',
    'what this machine runs: everything, or one process with the database of another machine (docs/operations.md)',
  ),
  KURS_MACHINE: variable(
    z.string().regex(/^[\w.-]{0,60}$/),
    '',
    'name of this machine in alarms and metrics, unique for each machine; its host name when empty',
  ),
  KURS_LOG: variable(z.enum(['debug', 'info', 'warn', 'error']), 'info', 'minimum level of log lines'),
  KURS_NAME: variable(
    z
      .string()
      .min(1)
      .max(40)
      .regex(/^\P{Cc}*$/u),
    'Kurs',
    'name of the desk, on pages and in mails',
  ),
  KURS_ENTITY: variable(z.string().max(300), '', 'operator of the desk: name, registration and address, separated by ;'),
  KURS_CONTACT: variable(z.email({ pattern: EMAIL }).or(z.literal('')), '', 'e-mail that customers can write to'),
  KURS_LINKS: variable(
    list.refine(
      (links) => links.every((link) => /^[^=]{1,40}=https:\/\/\S+$/.test(link)),
      'is a list like Telegram=https://t.me/name',
    ),
    '',
    'other places where customers find you, like Telegram=https://t.me/name',
  ),
  KURS_HOURS: variable(
    z.string().regex(/^((?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d)?$/),
    '',
    'support hours, in UTC, like 08:00-23:00',
  ),
  KURS_CHAT_WEBSITE: variable(
    z.string().regex(/^[\w-]{0,100}$/),
    '',
    'website id at Crisp: its chat is offered on public pages after 3 s and loaded if the visitor agrees; off when empty',
  ),
  KURS_CHAT_SCRIPT: variable(url, 'https://client.crisp.chat/l.js', 'address of the script of the Crisp chat'),
  KURS_BUILD_CHECK: variable(whole.min(1), '3600', 'seconds between a browser’s checks for a newer version of the site'),
  KURS_ANIMATION: variable(url, '', 'address of the error page’s animation, a Lottie file; our own when empty'),
  DATABASE_URL: secret(
    database,
    '',
    'address of your own PostgreSQL (15 or later; 18 is tested), for the role that owns the database; the embedded one when empty',
  ),
  KURS_APP_DATABASE_URL: secret(
    database,
    '',
    'the same database for the role kurs_app, if DATABASE_URL is set; when empty, that role is found or created',
  ),
  KURS_SIGNER_DATABASE_URL: secret(database, '', 'the same for the role kurs_signer'),
  KURS_DESK_KEY_FILE: variable(
    z.string(),
    '',
    'file with the key of the operator who uses the desk tool (mode 0600); a key on this machine when empty',
  ),
  SMTP_URL: secret(mailServer, '', 'mail server, like smtps://user:password@host; the sandbox has its own'),
  MAIL_FROM: variable(sender, '', 'sender of mails; no-reply@ at the host of BASE_URL when empty'),
  TRUST_PROXY: variable(networks, '', 'addresses or networks of your own proxies, whose X-Forwarded-For is trusted'),
  KURS_METRICS_PORT: variable(port, '0', 'port of 127.0.0.1 that serves metrics in Prometheus’ format; off when 0'),
  KURS_CLIENTS: variable(list, 'web', 'known values of the client-id header'),
  KURS_SITE_CLIENT: variable(
    z.string().regex(/^[\x21-\x7e]{1,60}$/),
    'web',
    'client-id that the pages of the site send; KURS_CLIENTS must name it',
  ),
  KURS_API_URL: variable(
    apiAddress,
    '',
    'address of the API, without /api/v1, like https://api.kurs.example; that of the site when empty',
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
    'id of the EVM chain (mainnet: 1), which the node must confirm; the sandbox has its own',
  ),
  KURS_USDT_ERC20: ofRail(
    'evm',
    z.string().regex(/^(0x[0-9a-fA-F]{40})?$/),
    '',
    'contract of USDT on the EVM chain; the sandbox deploys its own',
  ),
  KURS_BSC_RPC: ofRail('bsc', url, '', 'JSON-RPC of BNB Smart Chain; the sandbox has its own'),
  KURS_BSC_CHAIN_ID: ofRail('bsc', chainId, '56', 'id of BNB Smart Chain, which the node must confirm'),
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
    'how to query the traces of the EVM node, which show internal transfers: debug or filter',
  ),
  KURS_BSC_TRACES: ofRail(
    'bsc',
    traces,
    '',
    'how to query the traces of the BSC node, which show internal transfers: debug or filter',
  ),
  KURS_TRON_TRACES: ofRail(
    'tron',
    z.enum(['', 'on']),
    '',
    'on: the TRON node stores internal transactions, which show internal transfers',
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
    'maximum of each currency that the signer signs within 24 hours',
  ),
  KURS_GOOGLE_CLIENT_ID: variable(
    z.string().max(200),
    '',
    'client id of sign-in with Google, from its console; off when empty, the sandbox has its own',
  ),
  KURS_GOOGLE_ISSUERS: variable(
    list,
    'https://accounts.google.com, accounts.google.com',
    'names of Google as the issuer of its tokens',
  ),
  KURS_GOOGLE_KEYS: variable(url, 'https://www.googleapis.com/oauth2/v3/certs', 'address of Google’s public keys'),
  KURS_GOOGLE_SCRIPT: variable(url, 'https://accounts.google.com/gsi/client', 'address of Google’s script for browsers'),
  KURS_BOT_CHECK: variable(
    z.enum(['altcha', 'turnstile', 'recaptcha']),
    'altcha',
    'robot check: altcha (built in, by proof of work), turnstile (Cloudflare) or recaptcha (Google, version 2)',
  ),
  KURS_BOT_SITE_KEY: variable(
    z.string().max(200),
    '',
    'public site key at the provider of the robot check; the sandbox has its own',
  ),
  KURS_BOT_SECRET: secret(z.string().max(200), '', 'secret key at the provider of the robot check; the sandbox has its own'),
  KURS_BOT_VERIFY: variable(url, '', 'address where the provider of the robot check verifies tokens; its usual one when empty'),
  KURS_BOT_SCRIPT: variable(url, '', 'address of the robot check’s script for browsers; the provider’s usual one when empty'),
  KURS_SCREENING_URL: variable(
    z.literal('sandbox').or(url),
    '',
    'address of the screening service (docs/screening.md); no screening when empty, `sandbox` is the sandbox’s own service',
  ),
  KURS_SCREENING_KEY_FILE: variable(z.string(), '', 'file with the key for the screening service (mode 0600)'),
  KURS_PRIVATE_WEBHOOKS: variable(
    z.literal('').or(z.url({ protocol: /^https?$/ }).transform((text) => new URL(text).origin)),
    '',
    'sandbox only: a private origin that webhooks may go to, like http://127.0.0.1:8080; none when empty',
  ),
  KURS_SIGNER_SOCKET: variable(z.string(), '', 'unix socket of a signer that runs separately; KURS_DATA/signer.sock when empty'),
  KURS_SANDBOX_PORT: inner(port, '0', 'public port the sandbox listens on'),
  KURS_SANDBOX_CONTROL_PORT: inner(port, '0', 'control port the sandbox listens on'),
  KURS_SANDBOX_SMTP_PORT: inner(port, '0', 'port of the sandbox’s mail server'),
  KURS_SANDBOX_URL: inner(url, '', 'address of the sandbox’s public port'),
  KURS_SANDBOX_CONTROL_URL: inner(url, '', 'address of the sandbox’s control port'),
  KURS_SANDBOX_PROVIDERS: inner(z.string(), '', 'settings of the sandbox’s providers by rail, as JSON'),
} satisfies Record<string, Variable>;

/** Values of all variables. */
type Values = { readonly [N in keyof typeof VARIABLES]: z.output<(typeof VARIABLES)[N]['schema']> };

export type Config = Omit<Values, 'CONSOLE_PORT'> & {
  readonly CONSOLE_PORT: number;
  /** Mistakes in the variables of rails, by rail. The texts quote no value, since an address may hold a key. */
  readonly railMistakes: Readonly<Record<string, string>>;
};

/** Chain id of the sandbox's EVM chain. In live mode the operator sets the id. */
const SANDBOX_CHAIN_ID = 31_337;

/** Thrown for a wrong configuration. The message has a line for each mistake. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Parses the environment. An empty variable is treated as unset. Throws a `ConfigError` with a line for each mistake: a wrong
 * value or, in live mode, a missing value without a safe default. A wrong variable of a rail stops only that rail, so the
 * mistake is returned in `railMistakes`.
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
      railMistakes[rail] ??= `${name} has an invalid value (it is: ${words})`;
    }
  }
  const config = values as Values;
  if (mistakes.length === 0) mistakes.push(...mistakesOfSite(config), ...mistakesOfMode(config));
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'));
  const folder = resolve(config.KURS_DATA);
  const consolePort = config.CONSOLE_PORT ?? (config.PORT === 0 ? 0 : config.PORT < 65_535 ? config.PORT + 1 : config.PORT - 1);
  return {
    ...config,
    railMistakes,
    CONSOLE_PORT: consolePort,
    CONSOLE_URL: config.CONSOLE_URL.replace(/\/+$/, '') || `http://localhost:${consolePort}`,
    KURS_DATA: folder,
    BASE_URL: baseUrl(config),
    KURS_API_URL: config.KURS_API_URL.replace(/\/+$/, '') || baseUrl(config),
    KURS_MACHINE: config.KURS_MACHINE || hostname(),
    KURS_SIGNER_SOCKET: config.KURS_SIGNER_SOCKET || join(folder, 'signer.sock'),
    KURS_BITCOIN_NETWORK: config.KURS_BITCOIN_NETWORK || (config.KURS_MODE === 'live' ? 'mainnet' : 'regtest'),
    KURS_EVM_CHAIN_ID: config.KURS_EVM_CHAIN_ID || (config.KURS_MODE === 'live' ? 0 : SANDBOX_CHAIN_ID),
  };
}

/**
 * Returns the names of unknown variables that begin with KURS_. Such variables are misspelled, or belong to an older version.
 */
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

/** Returns a URL without user, query and fragment, and without a slash at the end. */
function plainAddress(text: string): string {
  const { origin: of, pathname } = new URL(text);
  return of + pathname.replace(/\/+$/, '');
}

/** Returns a mistake if the API doesn't accept the site's client-id. The API would then refuse the calls of every page. */
function mistakesOfSite({ KURS_CLIENTS: known, KURS_SITE_CLIENT: own }: Values): string[] {
  if (known.includes(own)) return [];
  return [
    `KURS_SITE_CLIENT (the client-id that the pages of the site send) is "${own}", which KURS_CLIENTS (${known.join(', ')}) does not name: every page would be refused. Add it there, or set KURS_SITE_CLIENT to one of those`,
  ];
}

function mistakesOfMode(config: Values): string[] {
  if (config.KURS_MODE === 'sandbox') return [];
  const mistakes: string[] = [];
  if (!config.BASE_URL.startsWith('https://')) mistakes.push('BASE_URL must be an https address in live mode');
  if (!/^(https:\/\/|$)/.test(config.KURS_API_URL)) mistakes.push('KURS_API_URL must be an https address in live mode');
  mistakes.push(...mistakesOfConsole(config));
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

/** Returns a mistake if a page of the site could reach the console's cookie, or if its password would travel unencrypted. */
function mistakesOfConsole({ CONSOLE_URL: url, BASE_URL: site, KURS_API_URL: api }: Values): string[] {
  if (url === '') return [];
  const { protocol, hostname: host } = new URL(url);
  if (protocol === 'http:' && host === 'localhost') return [];
  if (protocol !== 'https:') return ['CONSOLE_URL must be an https address in live mode, or http://localhost through a tunnel'];
  if (![site, api].some((other) => URL.parse(other)?.hostname === host)) return [];
  return [`CONSOLE_URL must be on a host name of its own: ${host} is that of the site, and cookies know no ports`];
}

function baseUrl({ BASE_URL, HOST, PORT }: Values): string {
  const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST;
  return BASE_URL.replace(/\/+$/, '') || `http://${host}:${PORT}`;
}

/** Returns all variables with name, default and description. Variables that the supervisor sets come last. */
export function describeConfig(): { name: string; initial: string; words: string; isInternal: boolean; rail?: string }[] {
  return Object.entries<Variable>(VARIABLES)
    .map(([name, { initial, words, isInternal = false, rail }]) => ({
      name,
      initial,
      words,
      isInternal,
      ...(rail !== undefined && { rail }),
    }))
    .sort((a, b) => Number(a.isInternal) - Number(b.isInternal));
}

const KEY_VARIABLE = /^KURS_KEY_[A-Z0-9_]+$/;

/** Returns the name of the environment variable that may hold a key instead of a file: KURS_KEY_SERVER_V1 for server-v1.key. */
export const keyVariable = (name: string): string =>
  `KURS_KEY_${name
    .replace(/\.(key|json)$/, '')
    .replaceAll(/[.-]/g, '_')
    .toUpperCase()}`;

/** Returns the text of a key from its environment variable; undefined if the variable is not set. */
export const keyInEnvironment = (name: string): string | undefined => process.env[keyVariable(name)]?.trim() || undefined;

/** Returns the names of the environment variables that hold keys. */
export const keyVariables = (environment: Environment = process.env): string[] =>
  Object.keys(environment).filter((name) => KEY_VARIABLE.test(name) && environment[name]?.trim());

/** Returns the address of the PostgreSQL that the processes of a test run share; undefined if a test runs alone. */
export const testDatabaseUrl = (): string | undefined => process.env['KURS_TEST_DATABASE_URL'] || undefined;

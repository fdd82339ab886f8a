import type { Sender } from '../exchange/index.ts';
import type { Post } from '../deliveries/index.ts';
import type { Config, Tokens } from '../platform/index.ts';

/** Returns the sender of letters: this desk. */
export function senderOf(config: Config, tokens: Tokens): Sender {
  return { tokens, name: config.KURS_NAME, url: config.BASE_URL };
}

/** Returns the mail server and the sender address of letters. */
export function postOf({ SMTP_URL, MAIL_FROM, KURS_NAME, BASE_URL }: Config): Post {
  const host = new URL(BASE_URL).hostname;
  return { smtpUrl: SMTP_URL, from: fromOf(MAIL_FROM || `no-reply@${host}`, KURS_NAME), host };
}

/** Splits `Kurs, Ltd. <desk@kurs.example>`, or an address alone, into name and address. Any name is quoted when it is sent. */
function fromOf(written: string, name: string): Post['from'] {
  const [, named, address] = /^(.*?)\s*<([^<>]+)>\s*$/.exec(written) ?? [undefined, name, written];
  return { name: (named ?? '').trim().replace(/^"(.*)"$/, '$1') || name, address: (address ?? '').trim() };
}

import type { Sender } from '../exchange/index.ts';
import type { Config, Tokens } from '../platform/index.ts';

/** What letters say of this desk. */
export function senderOf(config: Config, tokens: Tokens): Sender {
  return { tokens, name: config.KURS_NAME, url: config.BASE_URL };
}

/** Where mail is handed in, and from whom it is. */
export const postOf = ({ SMTP_URL, MAIL_FROM, KURS_NAME, BASE_URL }: Config): { smtpUrl: string; from: string } => ({
  smtpUrl: SMTP_URL,
  from: MAIL_FROM || `${KURS_NAME} <no-reply@${new URL(BASE_URL).hostname}>`,
});

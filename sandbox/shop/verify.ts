// Verifies webhooks by programs that are not ours: the package `standardwebhooks`, and openssl.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

type Headers = Readonly<Record<string, string>>;

/** Returns true if `webhook-signature` is right. A secret that doesn't begin with `whsec_` is the shop's own. */
export function isStandardRight(secret: string, headers: Headers, body: string): boolean {
  try {
    new Webhook(secret, secret.startsWith('whsec_') ? undefined : { format: 'raw' }).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

/** Returns true if `BTCPay-Sig` is what openssl computes. Throws if there is no openssl. */
export async function isBtcpayRight(secret: string, headers: Headers, body: string): Promise<boolean> {
  const openssl = spawn('openssl', ['dgst', '-sha256', '-hmac', secret], { stdio: ['pipe', 'pipe', 'ignore'] });
  const isStarted = once(openssl, 'spawn');
  const printed = text(openssl.stdout);
  await isStarted;
  openssl.stdin.end(body);
  const [digest] = /[0-9a-f]{64}\s*$/.exec(await printed) ?? [];
  return digest !== undefined && headers['btcpay-sig'] === `sha256=${digest.trim()}`;
}

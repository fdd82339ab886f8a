// Files ready to send: each encoding with its own entity tag, and 304 for a client that has the file.

import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { takesEncoding } from '../../platform/index.ts';

/** Body of a file, and those of its compressed bodies that are shorter. */
export interface Bodies {
  readonly body: Buffer;
  readonly br?: (() => Buffer) | undefined;
  readonly gzip?: (() => Buffer) | undefined;
}

type Head = Readonly<Record<string, string>>;
type Encoding = 'br' | 'gzip';

/**
 * One encoding of a file, with its headers. Each encoding has its own entity tag, since a strong tag means identical bytes (RFC
 * 9110, 8.8.1).
 */
interface Form {
  readonly tag: string;
  readonly head: Readonly<Record<string, string | number>>;
  readonly bytes: Buffer;
}

/** A file that is ready to send. */
export interface ReadyFile {
  readonly bodies: Bodies;
  readonly forms: Readonly<Record<'as it is', Form> & Partial<Record<Encoding, Form>>>;
}

/** Brotli’s quality for files that are rebuilt from time to time. */
const QUALITY = 5;

/** Compresses a body that all clients share; encodings that are not shorter are left out. */
export function compressed(body: Buffer): Bodies {
  const br = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } });
  const gzip = gzipSync(body);
  const isShorter = (bytes: Buffer): boolean => bytes.length < body.length;
  return { body, ...(isShorter(br) && { br: () => br }), ...(isShorter(gzip) && { gzip: () => gzip }) };
}

/** Prepares a file for sending. `head`: its headers except tag, encoding and length. */
export function readyFile(bodies: Bodies, head: Head): ReadyFile {
  const { body, br, gzip } = bodies;
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 20);
  const form = (bytes: Buffer, encoding?: Encoding): Form => {
    const tag = `"${hash}${encoding ? `-${encoding}` : ''}"`;
    const more = { ...((br ?? gzip) && { vary: 'accept-encoding' }), ...(encoding && { 'content-encoding': encoding }) };
    return { tag, head: { ...head, ...more, etag: tag, 'content-length': bytes.length }, bytes };
  };
  return {
    bodies,
    forms: { 'as it is': form(body), ...(br && { br: form(br(), 'br') }), ...(gzip && { gzip: form(gzip(), 'gzip') }) },
  };
}

/**
 * Returns the smallest body that a client accepts, by its `accept-encoding`. If the result has no `encoding`, the body is
 * uncompressed.
 */
export function smallestFor(accepted = '', file: Bodies): { encoding?: Encoding; bytes: Buffer } {
  if (file.br && takesEncoding(accepted, 'br')) return { encoding: 'br', bytes: file.br() };
  if (file.gzip && takesEncoding(accepted, 'gzip')) return { encoding: 'gzip', bytes: file.gzip() };
  return { bytes: file.body };
}

/** Sends a file directly, without the framework. */
export function sendPast({ headers, method }: IncomingMessage, response: ServerResponse, file: ReadyFile): void {
  const { status, head, bytes } = answerOf(headers, file);
  response.writeHead(status, head).end(method === 'HEAD' ? undefined : bytes);
}

/** Sends a file through the framework. */
export function sendFile({ headers }: FastifyRequest, reply: FastifyReply, file: ReadyFile): FastifyReply {
  const { status, head, bytes } = answerOf(headers, file);
  return reply.code(status).headers(head).send(bytes);
}

interface FileAnswer extends Pick<Form, 'head'> {
  readonly status: 200 | 304;
  readonly bytes?: Buffer;
}

/** Returns the answer: the file in the smallest accepted encoding, or 304 if the client has it. */
function answerOf(headers: IncomingHttpHeaders, { bodies, forms }: ReadyFile): FileAnswer {
  const accepted = headers['accept-encoding'];
  const { encoding } = smallestFor(typeof accepted === 'string' ? accepted : undefined, bodies);
  const { tag, head, bytes } = forms[encoding ?? 'as it is'] ?? forms['as it is'];
  const known = headers['if-none-match'];
  if (known === undefined || !isKnown(known, tag)) return { status: 200, head, bytes };
  const { 'content-length': _, 'content-type': __, 'content-encoding': ___, ...rest } = head;
  return { status: 304, head: rest };
}

/** Returns true if a list of tags contains `tag`. Compares weakly, as If-None-Match requires (RFC 9110, 13.1.2). */
const isKnown = (list: string, tag: string): boolean =>
  list.split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === tag);

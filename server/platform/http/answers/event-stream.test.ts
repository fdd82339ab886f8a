import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { FastifyReply } from 'fastify';
import { Problem } from '@kurs/contract';
import { createEventStreams } from './event-stream.ts';

/** A fake reply that records what was written, and whose reader can disconnect. */
function reply({ destroyed = false } = {}) {
  const written: string[] = [];
  const raw = Object.assign(new EventEmitter(), {
    destroyed,
    writableLength: 0,
    writeHead: () => void written.push('head'),
    write: (text: string) => void written.push(text),
    end: () => {},
    destroy: () => raw.emit('close'),
  });
  return { written, raw, reply: { hijack: () => {}, raw, request: { headers: {} } } as unknown as FastifyReply };
}

const full = (error: unknown): boolean => error instanceof Problem && error.code === 'unavailable';

test('limits streams per thing and per network; an ended one makes room, others don’t count', (t) => {
  const streams = createEventStreams();
  t.after(() => streams.closeAll());
  const opened = (of: string, network?: string) => {
    const { reply: own, written } = reply();
    return { written, stream: streams.open(own, {}, { of, network }) };
  };
  const ofOne = Array.from({ length: 8 }, () => opened('order 1'));
  assert.throws(() => opened('order 1'), full);
  ofOne[0]?.stream.end();
  opened('order 1');
  for (let at = 0; at < 200; at += 1) opened(`order of the network ${at}`, '203.0.113.7');
  assert.throws(() => opened('another', '203.0.113.7'), full);
  opened('another', '203.0.113.8');
  opened('another');
  streams.closeAll();
  assert.equal(streams.size, 0);
});

test('a refused stream has written nothing', (t) => {
  const streams = createEventStreams();
  t.after(() => streams.closeAll());
  for (let at = 0; at < 8; at += 1) streams.open(reply().reply, {}, { of: 'one', network: undefined });
  const ninth = reply();
  assert.throws(() => streams.open(ninth.reply, {}, { of: 'one', network: undefined }), full);
  assert.deepEqual(ninth.written, []);
});

test('a reader who left during the permission check holds nothing open', () => {
  const streams = createEventStreams();
  const stream = streams.open(reply({ destroyed: true }).reply, {}, { of: 'one', network: undefined });
  assert.deepEqual([stream.signal.aborted, streams.size], [true, 0]);
});

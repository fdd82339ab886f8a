import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import type { FastifyReply } from 'fastify';
import { Problem } from '@kurs/contract';
import { createEventStreams } from './event-stream.ts';

/** An answer to nobody: says what was written, and can be left. */
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

test('of one thing, and for one network, there are only so many; what ends makes room; others are no matter', (t) => {
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

test('what is refused has written nothing', (t) => {
  const streams = createEventStreams();
  t.after(() => streams.closeAll());
  for (let at = 0; at < 8; at += 1) streams.open(reply().reply, {}, { of: 'one', network: undefined });
  const ninth = reply();
  assert.throws(() => streams.open(ninth.reply, {}, { of: 'one', network: undefined }), full);
  assert.deepEqual(ninth.written, []);
});

test('who has gone while their question was judged holds nothing open', () => {
  const streams = createEventStreams();
  const stream = streams.open(reply({ destroyed: true }).reply, {}, { of: 'one', network: undefined });
  assert.deepEqual([stream.signal.aborted, streams.size], [true, 0]);
});

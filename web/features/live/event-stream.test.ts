import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEvent, readEvents } from './event-stream.ts';

const streamOf = (...chunks: string[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });

test('events are read across chunks, line ends and comments', async () => {
  const read = [];
  const body = streamOf(
    ': hello\n\nid: 7\nevent: or',
    'der\ndata: {"seq":7}\n\nid: 8\r\nevent: order\r\n',
    'data: a\r\ndata: b\r\n\r\nid: 9\ndata: cut',
  );
  for await (const event of readEvents(body)) read.push(event);
  assert.deepEqual(read, [
    { id: '7', event: 'order', data: '{"seq":7}' },
    { id: '8', event: 'order', data: 'a\nb' },
  ]);
});

test('a character of several bytes may be split between chunks', async () => {
  const bytes = new TextEncoder().encode('data: Ж\n\n');
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes.slice(0, 7));
      controller.enqueue(bytes.slice(7));
      controller.close();
    },
  });
  for await (const event of readEvents(body)) assert.equal(event.data, 'Ж');
});

test('a block without data is no event', () => {
  assert.equal(parseEvent(': beat'), undefined);
  assert.deepEqual(parseEvent('data:x'), { id: '', event: 'message', data: 'x' });
});

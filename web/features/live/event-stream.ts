export interface StreamEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/**
 * Reads server-sent events from a response's body (HTML standard, "Server-sent events"): lines of `field: value`; an empty line
 * ends an event; lines that begin with a colon are comments.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + value).replaceAll('\r\n', '\n').split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseEvent(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel();
  }
}

/** Returns the event that a block of lines describes; undefined if all lines are comments. */
export function parseEvent(block: string): StreamEvent | undefined {
  const fields = { id: '', event: 'message', data: [] as string[] };
  for (const line of block.split('\n')) {
    const [name = '', ...value] = line.split(':');
    const text = value.join(':').replace(/^ /, '');
    if (name === 'id') fields.id = text;
    else if (name === 'event') fields.event = text;
    else if (name === 'data') fields.data.push(text);
  }
  return fields.data.length === 0 ? undefined : { ...fields, data: fields.data.join('\n') };
}

import type { EventStream, VersionWatch } from '../../platform/index.ts';

/** An object whose status an event stream reports. */
interface Published<S extends object> {
  readonly id: string;
  readonly event: string;
  /** Status when the stream was opened, and its change number for the watch. */
  readonly begun: S;
  readonly seen: number;
  /** Reads the present status. */
  readonly read: () => Promise<S>;
  /** Returns the id of the stream event for a status. */
  readonly markOf: (status: S) => string;
}

/** Sends the present status to a stream unless its reader has it, and again after each change. */
export async function publishChanges<S extends object>(
  stream: EventStream,
  watch: VersionWatch,
  { id, event, begun, seen, read, markOf }: Published<S>,
): Promise<void> {
  const send = async (): Promise<void> => {
    const data = await read();
    stream.send({ id: markOf(data), event, data });
  };
  if (stream.lastEventId !== markOf(begun)) await send();
  const stop = watch.listen(id, seen, () => void send().catch(() => stream.end()));
  stream.signal.addEventListener('abort', stop);
  if (stream.signal.aborted) stop();
}

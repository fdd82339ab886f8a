// Closes what the test files of a process share after the last of them.

const closings: (() => Promise<void>)[] = [];

/** Registers `close` for the end of this process's tests. */
export function closeLast(close: () => Promise<void>): void {
  closings.push(close);
}

/** Closes all of it, in reverse order of registration. */
export async function closeAll(): Promise<void> {
  for (const close of closings.splice(0).toReversed()) await close();
}

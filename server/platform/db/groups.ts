/** Number of rows of a long table that are read at a time. */
const GROUP = 1_000;

/**
 * Reads a long table in groups, in the order of its ids. `read` returns up to the given number of rows after an id, or the first
 * rows if the id is undefined.
 */
export async function* inGroupsById<Row>(
  read: (behind: string | undefined, max: number) => Promise<readonly Row[]>,
  idOf: (row: Row) => string,
  maximum = GROUP,
): AsyncGenerator<readonly Row[]> {
  for (let behind: string | undefined; ;) {
    const rows: readonly Row[] = await read(behind, maximum);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < maximum) return;
    behind = idOf(last);
  }
}

/** Returns the ids of rows that are not as they were written, read as `inGroupsById` does. */
export async function idsOfAltered<Row extends { readonly id: string }>(
  read: (behind: string | undefined, max: number) => Promise<readonly Row[]>,
  isRight: (row: Row) => boolean,
  maximum?: number,
): Promise<string[]> {
  const altered: string[] = [];
  for await (const rows of inGroupsById(read, ({ id }) => id, maximum))
    altered.push(...rows.filter((row) => !isRight(row)).map(({ id }) => id));
  return altered;
}

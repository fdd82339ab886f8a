/** Number of rows of a long table that are read at a time. */
const GROUP = 1_000;

/**
 * Reads a long table in groups, in the order of its ids. `read` returns up to the given number of rows after an id, or the first
 * rows if the id is undefined.
 */
export async function* inGroupsById<Row>(
  read: (behind: string | undefined, most: number) => Promise<readonly Row[]>,
  idOf: (row: Row) => string,
  most = GROUP,
): AsyncGenerator<readonly Row[]> {
  for (let behind: string | undefined; ;) {
    const rows: readonly Row[] = await read(behind, most);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < most) return;
    behind = idOf(last);
  }
}

/** Returns the ids of rows that are not as they were written, read as `inGroupsById` does. */
export async function idsOfAltered<Row extends { readonly id: string }>(
  read: (behind: string | undefined, most: number) => Promise<readonly Row[]>,
  isRight: (row: Row) => boolean,
  most?: number,
): Promise<string[]> {
  const altered: string[] = [];
  for await (const rows of inGroupsById(read, ({ id }) => id, most))
    altered.push(...rows.filter((row) => !isRight(row)).map(({ id }) => id));
  return altered;
}

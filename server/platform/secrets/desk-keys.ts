// Keys of people of the desk, stored on this machine for the desk tool. This file has few imports, since the tool is started
// anew for every action.

import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../files/append-file.ts';

/** A desk key, with its holder's name and role (`operator` or `compliance`). */
export interface DeskKey {
  readonly name: string;
  readonly role: string;
  readonly key: string;
}

const fileOf = (dataFolder: string): string => join(dataFolder, 'keys', 'desk.json');

/** Stores the keys for the desk tool, and removes all keys that were stored before. */
export async function storeDeskKeys(dataFolder: string, keys: readonly DeskKey[]): Promise<void> {
  await mkdir(join(dataFolder, 'keys'), { recursive: true, mode: 0o700 });
  replaceFile(fileOf(dataFolder), `${JSON.stringify(keys, null, 2)}\n`);
}

/** Returns the stored keys for the desk tool; none if the file is missing. */
export async function deskKeys(dataFolder: string): Promise<DeskKey[]> {
  try {
    return JSON.parse(await readFile(fileOf(dataFolder), 'utf8')) as DeskKey[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** A class, or an animation, which is named alike. */
const CLASS = /(?:\.|@keyframes )([a-zA-Z][\w-]*)/g;
const FIRST = 'abcdefghijklmnopqrstuvwxyz';
const SECOND = `${FIRST}0123456789`;

/**
 * Names of two letters for the classes of all style modules below a folder. They stand hundreds of times in a page, and a
 * hash has letters that no compression can take out. The same sources give the same names, in each bundle.
 */
export function classNames(root: string): (name: string, file: string) => string {
  const files = globSync('{browser,features,routes,ui}/**/*.css', { cwd: root }).sort();
  const taken = new Set<string>();
  const own: string[] = [];
  for (const file of files) {
    const classes = [...readFileSync(join(root, file), 'utf8').matchAll(CLASS)].map(([, name]) => name as string);
    if (file.endsWith('.module.css')) own.push(...new Set(classes.map((name) => `${file} ${name}`)));
    else for (const name of classes) taken.add(name);
  }
  const free = [...FIRST].flatMap((first) => [...SECOND].map((second) => first + second)).filter((name) => !taken.has(name));
  if (own.length > free.length) throw new Error(`There are ${own.length} classes and ${free.length} names of two letters`);
  const short = new Map(own.map((key, at) => [key, free[at] as string]));
  return (name, file) => {
    const found = short.get(`${relative(root, file.split('?')[0] as string)} ${name}`);
    if (found === undefined) throw new Error(`The class ${name} of ${file} has no name`);
    return found;
  };
}

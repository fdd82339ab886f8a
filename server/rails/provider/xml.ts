import { XMLParser } from 'fast-xml-parser';
import { Unreachable } from './http.ts';

/** An element of XML: its text, or its elements by name. Elements with the same name are a list. */
export type Xml = string | { readonly [name: string]: Xml | readonly Xml[] };

/**
 * Numbers stay text (an amount is never a float), and prefixes of namespaces are left out. A document that declares its own
 * entities is refused before it is parsed: no provider needs them.
 */
const TEXTS = { ignoreDeclaration: true, removeNSPrefix: true, parseTagValue: false, htmlEntities: true } as const;
const parser = new XMLParser({ ...TEXTS, ignoreAttributes: true });
const attributesToo = new XMLParser({
  ...TEXTS,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseAttributeValue: false,
});

/** Reads an XML document. Throws `Unreachable` for a broken document or another text: nothing can be concluded from it. */
export const xmlOf = (text: string): Xml => read(parser, text);

/** Reads an XML document with its attributes, named `@name` beside the elements. Throws as `xmlOf` does. */
export const xmlWithAttributes = (text: string): Xml => read(attributesToo, text);

function read(reader: XMLParser, text: string): Xml {
  if (/<!doctype/i.test(text)) throw new Unreachable('an XML document with declarations of its own');
  try {
    return reader.parse(text, true) as Xml;
  } catch (error) {
    throw new Unreachable('no XML', error);
  }
}

/** Returns the elements of a name as a list: none, one or many. */
export function allOf(xml: Xml | undefined, name: string): readonly Xml[] {
  const found = xml === undefined || typeof xml === 'string' || !Object.hasOwn(xml, name) ? [] : xml[name];
  return Array.isArray(found) ? found : [found as Xml];
}

/** Returns the only element of a name, or undefined. Throws `Unreachable` if there are more: it is unclear which one counts. */
export function oneOf(xml: Xml | undefined, name: string): Xml | undefined {
  const found = allOf(xml, name);
  if (found.length > 1) throw new Unreachable(`more than one ${name}`);
  return found[0];
}

/** Returns the text of the only element of a name; '' if there is none. Throws `Unreachable` if there are more. */
export function textOf(xml: Xml | undefined, name: string): string {
  const found = oneOf(xml, name);
  return typeof found === 'string' ? found : '';
}

const SPECIAL: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes a text for the content of an element. */
export const xmlText = (text: string): string => text.replaceAll(/[&<>]/g, (sign) => SPECIAL[sign] as string);

import { XMLParser } from 'fast-xml-parser';
import { Unreachable } from './http.ts';

/** An element of XML without its attributes: its text, or what stands in it by name; a name that comes again is a list. */
export type Xml = string | { readonly [name: string]: Xml | readonly Xml[] };

/**
 * Numbers stay text (an amount is never a float), prefixes of namespaces are left out. A document that declares its own
 * entities is refused before it is read: none of ours has a reason to.
 */
const TEXTS = { ignoreDeclaration: true, removeNSPrefix: true, parseTagValue: false, htmlEntities: true } as const;
const parser = new XMLParser({ ...TEXTS, ignoreAttributes: true });
const attributesToo = new XMLParser({
  ...TEXTS,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseAttributeValue: false,
});

/** Reads an XML document. Throws `Unreachable` for what is none, or broke off: nothing can be concluded from it. */
export const xmlOf = (text: string): Xml => read(parser, text);

/** The same with attributes, named `@name` beside the elements. */
export const xmlWithAttributes = (text: string): Xml => read(attributesToo, text);

function read(reader: XMLParser, text: string): Xml {
  if (/<!doctype/i.test(text)) throw new Unreachable('an XML document with declarations of its own');
  try {
    return reader.parse(text, true) as Xml;
  } catch (error) {
    throw new Unreachable('no XML', error);
  }
}

/** What stands under a name, as a list: none, one or many of them. */
export function allOf(xml: Xml | undefined, name: string): readonly Xml[] {
  const found = xml === undefined || typeof xml === 'string' || !Object.hasOwn(xml, name) ? [] : xml[name];
  return Array.isArray(found) ? found : [found as Xml];
}

/** The only element of a name, or undefined. Throws `Unreachable` where there are more: which one counts is unclear. */
export function oneOf(xml: Xml | undefined, name: string): Xml | undefined {
  const found = allOf(xml, name);
  if (found.length > 1) throw new Unreachable(`more than one ${name}`);
  return found[0];
}

/** The text under a name; '' where there is none. */
export function textOf(xml: Xml | undefined, name: string): string {
  const found = oneOf(xml, name);
  return typeof found === 'string' ? found : '';
}

const SPECIAL: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A text as it may stand in an element. */
export const xmlText = (text: string): string => text.replaceAll(/[&<>]/g, (sign) => SPECIAL[sign] as string);

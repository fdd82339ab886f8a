import { type Reply, Unreachable } from '../provider/index.ts';
import { type Xml, allOf, oneOf, xmlOf, xmlText } from '../provider/xml.ts';

/** A fault of the service, by the name of its type: `NotEnoughMoneyApiException`. */
export class Fault extends Error {
  readonly type: string;

  constructor(type: string) {
    super(`the service says ${type}`);
    this.name = 'Fault';
    this.type = type;
  }
}

/** One argument of a call: its elements in order. */
export type Argument = Readonly<Record<string, string>>;

/**
 * Returns the envelope of a call. The operation is in the service's namespace, and its arguments (`arg0`, `arg1`, …) are in none,
 * like in classes generated from the WSDL.
 */
export function envelopeOf(operation: string, args: readonly (Argument | string)[]): string {
  const inner = args.map((arg, index) => `<arg${index}>${typeof arg === 'string' ? xmlText(arg) : elements(arg)}</arg${index}>`);
  return (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:wsm="http://wsm.advcash/">' +
    `<soapenv:Header/><soapenv:Body><wsm:${operation}>${inner.join('')}</wsm:${operation}></soapenv:Body></soapenv:Envelope>`
  );
}

function elements(argument: Argument): string {
  return Object.entries(argument)
    .map(([name, value]) => `<${name}>${xmlText(value)}</${name}>`)
    .join('');
}

/**
 * Returns the `return` elements of an answer, or none if the answer is empty. Throws `Fault` for a typed fault. Throws
 * `Unreachable` for any other text that is no answer to this call, at any HTTP status: the call's outcome is then unknown.
 */
export function returnsOf(operation: string, { status, text }: Reply): readonly Xml[] {
  const body = oneOf(oneOf(xmlOf(text), 'Envelope'), 'Body');
  const fault = oneOf(body, 'Fault');
  if (fault !== undefined) throw faultOf(fault);
  const answer = oneOf(body, `${operation}Response`);
  if (status !== 200 || answer === undefined) throw new Unreachable(`status ${status}, no answer to ${operation}`);
  return allOf(answer, 'return');
}

function faultOf(fault: Xml): Error {
  const detail = oneOf(fault, 'detail');
  const [type, another] = detail === undefined || typeof detail === 'string' ? [] : Object.keys(detail);
  return type !== undefined && another === undefined ? new Fault(type) : new Unreachable('a fault without a type');
}

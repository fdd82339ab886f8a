// Which addresses of the network are public.

import ipaddr from 'ipaddr.js';

/** The block that global unicast addresses of IPv6 are given out of (RFC 4291). */
const GLOBAL = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/** An address of IPv4 in one of IPv6, for networks without IPv4 (NAT64, RFC 6052). */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96') as [ipaddr.IPv6, number];

/**
 * Is this address, as `node:net` writes it, one of the public internet? Private, loopback, link-local, carrier-grade NAT,
 * reserved and tunnelled ones are not; one that holds an address of IPv4 is what that one is.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address instanceof ipaddr.IPv6) {
    if (address.match(NAT64)) return isPublicAddress(address.toByteArray().slice(12).join('.'));
    return address.match(GLOBAL) && address.range() === 'unicast';
  }
  return address.range() === 'unicast';
}

// Distinguishes public network addresses from others.

import ipaddr from 'ipaddr.js';

/** Block of the global unicast addresses of IPv6 (RFC 4291). */
const GLOBAL = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/** Prefix of IPv4 addresses inside IPv6, for networks without IPv4 (NAT64, RFC 6052). */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96') as [ipaddr.IPv6, number];

/**
 * Returns true if `text`, as `node:net` writes it, is an address of the public internet. Private, loopback, link-local,
 * carrier-grade NAT, reserved and tunnelled addresses are not public. If an IPv6 address contains an IPv4 address (NAT64), the
 * IPv4 address decides.
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

/**
 * Compiles the contracts beside this file. `node sandbox/evm/contracts/compile.ts` writes `contracts.json`, which the sandbox
 * deploys. A test compiles again and compares, so that the bytecode matches the source.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export interface Compiled {
  readonly abi: readonly object[];
  readonly bytecode: `0x${string}`;
}

const SOURCES = ['TestTether', 'FakeTether'] as const;
const here = (name: string): URL => new URL(name, import.meta.url);

interface Output {
  readonly errors?: readonly { readonly formattedMessage: string }[];
  readonly contracts: Readonly<
    Record<string, Readonly<Record<string, { abi: object[]; evm: { bytecode: { object: string } } }>>>
  >;
}

/** Returns the ABI and creation bytecode of each contract by name. Throws with the compiler's message on any error or warning. */
export function compileContracts(): Record<(typeof SOURCES)[number], Compiled> {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(SOURCES.map((name) => [`${name}.sol`, { content: readFileSync(here(`${name}.sol`), 'utf8') }])),
    settings: {
      optimizer: { enabled: true, runs: 200 },
      evmVersion: 'cancun',
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
  if (output.errors?.length) throw new Error(output.errors.map((error) => error.formattedMessage).join('\n'));
  const compiled = (name: string): Compiled => {
    const contract = output.contracts[`${name}.sol`]?.[name];
    if (!contract) throw new Error(`No contract is called ${name}`);
    return { abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` };
  };
  return { TestTether: compiled('TestTether'), FakeTether: compiled('FakeTether') };
}

if (import.meta.main) writeFileSync(here('contracts.json'), `${JSON.stringify(compileContracts(), null, 1)}\n`);

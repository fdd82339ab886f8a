import { join } from 'node:path';
import { type InlineConfig, build } from 'vite';

/**
 * Bundles what other sites show of ours into a folder: `widget.js`, which has this one name in every build, and the script of the
 * calculator in its frame, whose address is given. Neither has words of its own, nor parts that others share.
 */
export async function bundleEmbed(config: InlineConfig, outDir: string): Promise<string> {
  const bundle = async (file: string, entryFileNames: string): Promise<string> => {
    const made = await build({
      ...config,
      build: {
        outDir,
        emptyOutDir: false,
        target: 'es2022',
        modulePreload: { polyfill: false },
        rolldownOptions: { input: join(config.root ?? '', file), output: { format: 'iife', entryFileNames } },
      },
    });
    if (!('output' in made)) throw new Error(`${file} was not bundled`);
    return `/${made.output[0].fileName}`;
  };
  await bundle('embed/widget.ts', 'widget.js');
  return bundle('embed/calculator.ts', 'assets/embed/[name]-[hash].js');
}

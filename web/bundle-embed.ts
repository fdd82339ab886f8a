import { join } from 'node:path';
import { type InlineConfig, build } from 'vite';

/**
 * Bundles the calculator for other sites into a folder: `widget.js`, which those sites load and whose name never changes, and the
 * script inside the calculator's frame. Returns the path of the frame's script.
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

import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Compiler } from '@rspack/core';

/** Writes `.br` (quality 11) and `.gz` (level 9) beside each text asset worth it, so that no server ever packs one again. */
export function readyCompressed() {
  return {
    apply(compiler: Compiler) {
      compiler.hooks.thisCompilation.tap('ReadyCompressed', (compilation) => {
        const { PROCESS_ASSETS_STAGE_OPTIMIZE_TRANSFER: stage } = compiler.webpack.Compilation;
        compilation.hooks.processAssets.tap({ name: 'ReadyCompressed', stage }, (assets) => {
          for (const [name, source] of Object.entries(assets)) {
            if (!/\.(js|css|svg|json)$/.test(name)) continue;
            const bytes = source.buffer();
            const br = brotliCompressSync(bytes, {
              params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
            });
            if (br.length >= bytes.length) continue;
            compilation.emitAsset(`${name}.br`, new compiler.webpack.sources.RawSource(br));
            compilation.emitAsset(`${name}.gz`, new compiler.webpack.sources.RawSource(gzipSync(bytes, { level: 9 })));
          }
        });
      });
    },
  };
}

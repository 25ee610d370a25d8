import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

type Decompress = (body: Buffer, options: { maxOutputLength: number }) => Buffer;

const decompressors: Readonly<Record<string, Decompress>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** Some gateways compress every reply. An unknown or broken one stays as it is, unreadable. */
export function decompress(
  body: Buffer,
  encoding: string | string[] | undefined,
  maxOutputLength: number,
): Buffer | 'too_large' {
  const run = encoding === undefined ? undefined : decompressors[`${encoding}`.toLowerCase()];
  if (!run) return body;
  try {
    return run(body, { maxOutputLength });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : body;
  }
}

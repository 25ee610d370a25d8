const signatures = {
  png: (bytes: Buffer) =>
    bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  jpeg: (bytes: Buffer) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  webp: (bytes: Buffer) =>
    bytes.subarray(0, 4).toString('latin1') === 'RIFF' &&
    bytes.subarray(8, 12).toString('latin1') === 'WEBP',
} as const;

/** Whether the bytes of a data URL begin like the type of picture that it names. */
export function isPicture(dataUrl: string): boolean {
  const [, type, encoded] = /^data:image\/(png|jpeg|webp);base64,(.+)$/.exec(dataUrl) ?? [];
  if (!type || !encoded) return false;
  return signatures[type as keyof typeof signatures](Buffer.from(encoded, 'base64'));
}

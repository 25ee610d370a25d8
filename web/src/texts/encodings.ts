// Names of encodings, by the languages they are used for
export const utf8 = 'UTF-8';
export const utf16LittleEndian = 'UTF-16, little endian';
export const utf16BigEndian = 'UTF-16, big endian';
export const westernEuropean = (name: string) => `Western European (${name})`;
export const centralEuropean = (name: string) => `Central European (${name})`;
export const cyrillic = (name: string) => `Cyrillic (${name})`;
export const simplifiedChinese = (name: string) => `Chinese, simplified (${name})`;
export const traditionalChinese = (name: string) => `Chinese, traditional (${name})`;
export const japanese = (name: string) => `Japanese (${name})`;
export const korean = (name: string) => `Korean (${name})`;
export const greek = (name: string) => `Greek (${name})`;
export const turkish = (name: string) => `Turkish (${name})`;
export const hebrew = (name: string) => `Hebrew (${name})`;
export const arabic = (name: string) => `Arabic (${name})`;
export const baltic = (name: string) => `Baltic (${name})`;
export const vietnamese = (name: string) => `Vietnamese (${name})`;
export const thai = (name: string) => `Thai (${name})`;

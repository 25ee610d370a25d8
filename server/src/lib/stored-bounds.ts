import { day } from './clock.ts';

/** More devices than a person has; a sign-in beyond them ends the session that was used least recently. */
export const sessionsPerPerson = 100;

/** What a sheet or a batch takes besides its rows: records, and on the disk whole blocks. */
export const leastBytes = { sheet: 16 * 1024, batch: 4 * 1024 } as const;

/** Expired email links are stored this long, so that a late click is told why it fails. With its last one a never verified account goes. */
export const expiredLinkRetention = 30 * day;

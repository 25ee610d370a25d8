/** More devices than a person has; a sign-in beyond them ends the session that was used least recently. */
export const sessionsPerPerson = 100;

/** What a sheet or a batch takes besides its rows: records, and on the disk whole blocks. */
export const leastBytes = { sheet: 16 * 1024, batch: 4 * 1024 } as const;

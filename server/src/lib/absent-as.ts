/** Returns `absent` when the file or folder does not exist; other errors are thrown. */
export async function absentAs<T, A>(absent: A, work: Promise<T>): Promise<T | A> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return absent;
    throw error;
  }
}

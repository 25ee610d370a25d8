/** What stands for a file or folder that is not there; any other failure is one. */
export async function absentAs<T, A>(absent: A, work: Promise<T>): Promise<T | A> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return absent;
    throw error;
  }
}

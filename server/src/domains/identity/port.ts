/** Turns passwords into what may be kept of them, and checks them. Both refuse as `busy` when too many wait. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Without a hash to compare with, it takes as long and says no: an unknown address must not answer faster. */
  isRight(password: string, hash: string | null): Promise<boolean>;
}

/** Hashes and checks passwords. Both refuse with `busy` when too many calls are waiting. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Takes equally long without a hash: an unknown address must not answer faster. */
  isRight(password: string, hash: string | null): Promise<boolean>;
  /** True when new hashes have other costs. */
  isOutdated(hash: string): boolean;
}

/** Hashes and checks passwords. Both refuse with `busy` when too many of a `siteOf` wait. */
export interface PasswordHasher {
  hash(password: string, site?: string): Promise<string>;
  /** Takes equally long without a hash: an unknown address must not answer faster. */
  isRight(password: string, hash: string | null, site?: string): Promise<boolean>;
  /** True when new hashes have other costs. */
  isOutdated(hash: string): boolean;
}

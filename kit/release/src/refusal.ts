/** Why a release, a signature or a keyring is not taken. Stable: tools act on them. */
export type RefusalCode =
  | 'bad-keyring'
  | 'old-keyring'
  | 'bad-signature'
  | 'unknown-key'
  | 'revoked-key'
  | 'key-not-for-mfe'
  | 'bad-manifest'
  | 'wrong-contract'
  | 'wrong-shared'
  | 'bad-path'
  | 'bad-hash'
  | 'missing-hash'
  | 'too-large'
  | 'path-conflict'
  | 'no-trial'
  | 'wrong-bytes';

/** A release that must not be taken. The message is for whoever released it: what is wrong, and what to do. */
export class ReleaseRefused extends Error {
  override readonly name = 'ReleaseRefused';
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

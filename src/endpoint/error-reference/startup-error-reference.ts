/** Explanations of the error codes for settings, certificates and workers. */
import type { ConfigurationErrorCode } from '../internal/configuration-error.ts'

/** A user-facing explanation of an error code. */
export interface Explanation {
  /** The step that reports the error. `compilation` refers to compiling a route tree. */
  readonly reportedBy:
    | 'compilation'
    | 'serve'
    | 'toFetchHandler'
    | 'client'
    | 'compilation and client'
    | 'openApi'
    | 'mock server'
  readonly cause: string
  readonly remedy: string
}

type StartupErrorCode = Extract<
  ConfigurationErrorCode,
  `FW-CONF-${string}` | `FW-TLS-${string}` | `FW-WORKER-${string}`
>

/** Explanations of errors that are caused by settings and options. */
export const startupErrors: Readonly<Record<StartupErrorCode, Explanation>> = {
  'FW-CONF-001': {
    reportedBy: 'compilation',
    cause:
      'A property or an environment variable has a name that begins with `fw.` or `FW_`, but there is no such setting. These prefixes are reserved so that misspelled settings can be reported.',
    remedy:
      'Use the name that is suggested in the message, or remove the property or environment variable.',
  },
  'FW-CONF-002': {
    reportedBy: 'compilation',
    cause: 'The value of a setting has the wrong format or is out of range.',
    remedy:
      'Use a value of the type described in the message and in the [settings reference](settings.md).',
  },
  'FW-CONF-003': {
    reportedBy: 'compilation',
    cause:
      'An expression such as `${name}` in a value refers to a property that is not set and has no default, or is part of a circular reference.',
    remedy: 'Set the property, or add a default: `${name:default}`.',
  },
  'FW-CONF-004': {
    reportedBy: 'serve',
    cause:
      '`application.properties` or `.env` cannot be read, is not UTF-8, or contains a malformed line.',
    remedy: 'Correct the line, or make the file readable.',
  },
  'FW-CONF-005': {
    reportedBy: 'serve',
    cause:
      'The uploads directory cannot be created or accessed, is not a directory, is a symbolic link, belongs to another user, is accessible to others, or is in a directory whose contents another user can replace.',
    remedy:
      'Run `chmod 700` on the directory, or set `fw.http.body.uploads-directory` to a private directory.',
  },
  'FW-CONF-006': {
    reportedBy: 'serve',
    cause:
      'Settings of listeners contradict each other: for example, `fw.http.insecure-requests` is set without a certificate, client certificates are requested without trusted authorities, or no listener is enabled.',
    remedy: 'Change one of the settings listed in the message. See [Listeners](listeners.md).',
  },
  'FW-TLS-001': {
    reportedBy: 'serve',
    cause:
      'A certificate, key, key store or trust file cannot be read or parsed, a key is encrypted or too short, the password of a key store is wrong, or the numbers of certificates and keys differ. After a reload, the error is logged, and the previous certificates stay in use.',
    remedy: 'Correct the file listed in the message.',
  },
  'FW-TLS-002': {
    reportedBy: 'serve',
    cause: 'A private key does not belong to the certificate at the same position in the list.',
    remedy: 'List certificates and keys in the same order, or replace one of the files.',
  },
  'FW-TLS-003': {
    reportedBy: 'serve',
    cause: 'A certificate of the server has expired, or is not valid yet.',
    remedy: 'Renew the certificate, and check the clock of the machine.',
  },
  'FW-TLS-004': {
    reportedBy: 'serve',
    cause:
      'Operations require authentication, and `mutualTls` is their only authentication filter, but the server does not request certificates from clients. It would reject all their requests.',
    remedy:
      'Set `fw.http.ssl.client-auth` and `fw.http.ssl.certificate.trust-store-files`, or add another authentication filter. Behind a proxy that terminates TLS, certificates do not reach the server: read the header of the proxy with `authentication`.',
  },
  'FW-WORKER-001': {
    reportedBy: 'serve',
    cause:
      'The tree has `blocking` operations, but the module that exports the tree was not passed to `serve`.',
    remedy: "Pass the module: `serve(api, { module: import.meta.url, export: 'api' })`.",
  },
  'FW-WORKER-002': {
    reportedBy: 'serve',
    cause:
      'A worker cannot import the module that exports the tree, or the module exports a different tree from the one being served.',
    remedy:
      'Correct the `module` and `export` options of `serve`, as described in the message. If the service is bundled, exclude espalier from the bundle.',
  },
}

/** A signal that a process can listen to, and that asks it to end. */
export type Signal = 'SIGTERM' | 'SIGINT' | 'SIGHUP' | 'SIGQUIT' | 'SIGUSR2' | 'SIGBREAK'

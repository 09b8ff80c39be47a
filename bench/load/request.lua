-- Script for wrk: takes the method and the body as arguments after `--`, and prints the totals as one line of JSON.

function init(arguments)
  wrk.method = arguments[1]
  if arguments[2] ~= "" then wrk.body = arguments[2] end
end

function done(summary)
  local errors = summary.errors
  io.write(string.format(
    '{"responses":%d,"errorResponses":%d,"errors":%d,"microseconds":%d}\n',
    summary.requests, errors.status,
    errors.connect + errors.read + errors.write + errors.timeout, summary.duration))
end

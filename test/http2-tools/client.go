// Sends requests with net/http: parallel requests, an upload with an echo, a cancelled request and an early response.
package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func expect(condition bool, message string) {
	if !condition {
		check(fmt.Errorf("%s", message))
	}
}

func main() {
	url := os.Args[1]
	certificate, err := os.ReadFile(os.Args[2])
	check(err)
	roots := x509.NewCertPool()
	expect(roots.AppendCertsFromPEM(certificate), "invalid certificate")
	client := &http.Client{Transport: &http.Transport{
		ForceAttemptHTTP2: true,
		TLSClientConfig:   &tls.Config{RootCAs: roots},
	}}

	var group sync.WaitGroup
	for range 200 {
		group.Add(1)
		go func() {
			defer group.Done()
			response, err := client.Get(url)
			check(err)
			body, err := io.ReadAll(response.Body)
			check(err)
			response.Body.Close()
			expect(response.ProtoMajor == 2 && string(body) == "Hello", "unexpected response")
		}()
	}
	group.Wait()

	sent := bytes.Repeat([]byte("0123456789"), 500_000)
	response, err := client.Post(url+"/echo", "application/octet-stream", bytes.NewReader(sent))
	check(err)
	received, err := io.ReadAll(response.Body)
	check(err)
	expect(bytes.Equal(sent, received), "the echo differs")

	ctx, cancel := context.WithCancel(context.Background())
	request, err := http.NewRequestWithContext(ctx, "GET", url+"/large", nil)
	check(err)
	response, err = client.Do(request)
	check(err)
	cancel()
	_, err = io.ReadAll(response.Body)
	expect(err != nil, "the cancelled request was completed")

	response, err = client.Post(url+"/missing", "application/octet-stream", bytes.NewReader(sent))
	check(err)
	expect(response.StatusCode == 404, "unexpected status of an early response")
	fmt.Println("203 requests")
}

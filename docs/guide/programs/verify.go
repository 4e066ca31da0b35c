package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

const tolerance = 5 * time.Minute

// verify fails if the secret did not sign the message. body: as it came.
func verify(secret, id, timestamp, signature string, body []byte) error {
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return errors.New("The message is too old, or from the future.")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return err
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, each := range strings.Fields(signature) {
		if hmac.Equal([]byte(each), expected) {
			return nil
		}
	}
	return errors.New("No signature fits.")
}

func main() {
	body, err := io.ReadAll(os.Stdin)
	if err == nil {
		err = verify(os.Getenv("WEBHOOK_SECRET"), os.Getenv("WEBHOOK_ID"), os.Getenv("WEBHOOK_TIMESTAMP"), os.Getenv("WEBHOOK_SIGNATURE"), body)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Stdout.Write(body)
}
